"""Names that a generated file gets from CUDA's and the C library's headers at file scope, and so cannot define.

Those that are taken everywhere, as `min` and `float3`, are in `codegen/names.py`.

A C program that does not include the header in question may have a `gamma` or an `index` of its own.  Found by
compiling a definition of each candidate with nvcc 13.0 on glibc 2.36.
"""

_NAMES = """
CUuuid FILE a64l abort abs acos acosf acosh acoshf acoshl acosl aligned_alloc alloca arc4random arc4random_buf
arc4random_uniform asctime asctime_r asin asinf asinh asinhf asinhl asinl asprintf at_quick_exit atan atan2 atan2f
atan2l atanf atanh atanhf atanhl atanl atexit atof atoi atol atoll atomicAdd_block atomicAdd_system atomicAnd_block
atomicAnd_system atomicCAS_block atomicCAS_system atomicDec_block atomicDec_system atomicExch_block atomicExch_system
atomicInc_block atomicInc_system atomicMax_block atomicMax_system atomicMin_block atomicMin_system atomicOr_block
atomicOr_system atomicSub_block atomicSub_system atomicXor_block atomicXor_system ballot basename bcmp bcopy
blkcnt64_t blkcnt_t blksize_t bsearch bzero caddr_t calloc canonicalize canonicalize_file_name canonicalizef
canonicalizel cbrt cbrtf cbrtl ceil ceilf ceill clearenv clearerr clearerr_unlocked clock_adjtime clock_getcpuclockid
clock_getres clock_gettime clock_nanosleep clock_settime clock_t clockid_t comparison_fn_t cookie_close_function_t
cookie_read_function_t cookie_seek_function_t cookie_write_function_t copysign copysignf copysignl cos cosf cosh coshf
coshl cosl ctermid ctime ctime_r cuserid cyl_bessel_i0f cyl_bessel_i1 cyl_bessel_i1f dadd daddl daddr_t ddivl dev_t
dfmal difftime div dmul dmull double2int double2ll double2uint double2ull double4_16a double4_32a double_t dprintf
drand48 drand48_r drem dremf dreml dsqrtl dsub dsubl dysize ecvt ecvt_r erand48 erand48_r erf erfc erfcf erfcinvf
erfcl erfcxf erff erfinvf erfl exit exp exp10l exp2 exp2f exp2l expf expl explicit_bzero expm1 expm1f expm1l fabs
fabsf fabsl fadd faddl fclose fcloseall fcvt fcvt_r fd_mask fdim fdimf fdiml fdiv fdivide fdivl fdopen feof
feof_unlocked ferror ferror_unlocked fflush fflush_unlocked ffma ffmal ffs ffsl ffsll fgetc fgetc_unlocked fgetpos
fgetpos64 fgets fgets_unlocked fileno fileno_unlocked finite finitef finitel float2double float_t flockfile floor
floorf floorl fma fmaf fmal fmax fmaxf fmaximum fmaximum_mag fmaximum_mag_num fmaximum_mag_numf fmaximum_mag_numl
fmaximum_magf fmaximum_magl fmaximum_num fmaximum_numf fmaximum_numl fmaximumf fmaximuml fmaxl fmaxmag fmaxmagf
fmaxmagl fmemopen fmin fminf fminimum fminimum_mag fminimum_mag_num fminimum_mag_numf fminimum_mag_numl fminimum_magf
fminimum_magl fminimum_num fminimum_numf fminimum_numl fminimumf fminimuml fminl fminmag fminmagf fminmagl fmod fmodf
fmodl fmul fmull fopen fopen64 fopencookie fpclassify fpos64_t fpos_t fprintf fputc fputc_unlocked fputs
fputs_unlocked fread fread_unlocked freopen freopen64 frexp frexpf frexpl fromfp fromfpf fromfpl fromfpx fromfpxf
fromfpxl fsblkcnt64_t fsblkcnt_t fscanf fseek fseeko fseeko64 fsetpos fsetpos64 fsfilcnt64_t fsfilcnt_t fsid_t fsqrt
fsqrtl fsub fsubl ftell ftello ftello64 ftrylockfile funlockfile fwrite fwrite_unlocked gamma gammaf gammal gcvt getc
getc_unlocked getchar getchar_unlocked getcpu getdate getdate_r getdelim getenv getline getloadavg getpayload
getpayloadf getpayloadl getpt getsubopt getw gid_t gmtime gmtime_r grantpt h2ceil h2cos h2exp h2exp10 h2exp2 h2floor
h2log h2log10 h2log2 h2rcp h2rint h2rsqrt h2sin h2sqrt h2tanh h2tanh_approx h2trunc half half2 hceil hcos hexp hexp10
hexp2 hfloor hlog hlog10 hlog2 hrcp hrint hrsqrt hsin hsqrt htanh htanh_approx htrunc hypot hypotf hypotl id_t ilogb
ilogbf ilogbl index initstate initstate_r ino64_t ino_t int16_t int2double int32_t int64_t int8_t isalnum isalnum_l
isalpha isalpha_l isascii isblank isblank_l iscanonical iscntrl iscntrl_l isctype isdigit isdigit_l iseqsig isfinite
isgraph isgraph_l isgreater isgreaterequal isinf isinff isinfl isless islessequal islessgreater islower islower_l
isnan isnanf isnanl isnormal isprint isprint_l ispunct ispunct_l issignaling isspace isspace_l isunordered isupper
isupper_l isxdigit isxdigit_l iszero j0 j0f j0l j1 j1f j1l jn jnf jnl jrand48 jrand48_r key_t l64a labs lcong48
lcong48_r ldexp ldexpf ldexpl ldiv lgamma lgamma_r lgammaf lgammaf32_r lgammaf32x_r lgammaf64_r lgammaf64x_r lgammaf_r
lgammal lgammal_r ll2double llabs lldiv llmax llmin llogb llogbf llogbl llrint llrintf llrintl llround llroundf
llroundl locale_t localtime localtime_r loff_t log log10 log10f log10l log1p log1pf log1pl log2 log2f log2l logb logbf
logbl logf logl long4_16a long4_32a longlong4_16a longlong4_32a lrand48 lrand48_r lrint lrintf lrintl lround lroundf
lroundl make_bfloat162 make_cudaExtent make_cudaPitchedPtr make_cudaPos make_double4_16a make_double4_32a make_half2
make_long4_16a make_long4_32a make_longlong4_16a make_longlong4_32a make_ulong4_16a make_ulong4_32a
make_ulonglong4_16a make_ulonglong4_32a mblen mbstowcs mbtowc memccpy memchr memcmp memfrob memmem memmove mempcpy
memrchr mkdtemp mkostemp mkostemp64 mkostemps mkostemps64 mkstemp mkstemp64 mkstemps mkstemps64 mktemp mktime mode_t
modf modff modfl mrand48 mrand48_r nan nanf nanl nanosleep nearbyint nearbyintf nearbyintl nextafter nextafterf
nextafterl nextdown nextdownf nextdownl nexttoward nexttowardf nexttowardl nextup nextupf nextupl nlink_t norm3df
norm4df normcdff normcdfinvf nrand48 nrand48_r nullptr_t nv_bfloat16 nv_bfloat162 nv_half nv_half2 nvcuda obstack_printf
obstack_vprintf off64_t off_t on_exit open_memstream pclose perror pid_t popen posix_memalign posix_openpt pow powf
powl pselect pthread_atfork pthread_attr_destroy pthread_attr_getaffinity_np pthread_attr_getdetachstate
pthread_attr_getguardsize pthread_attr_getinheritsched pthread_attr_getschedparam pthread_attr_getschedpolicy
pthread_attr_getscope pthread_attr_getsigmask_np pthread_attr_getstack pthread_attr_getstackaddr
pthread_attr_getstacksize pthread_attr_init pthread_attr_setaffinity_np pthread_attr_setdetachstate
pthread_attr_setguardsize pthread_attr_setinheritsched pthread_attr_setschedparam pthread_attr_setschedpolicy
pthread_attr_setscope pthread_attr_setsigmask_np pthread_attr_setstack pthread_attr_setstackaddr
pthread_attr_setstacksize pthread_attr_t pthread_barrier_destroy pthread_barrier_init pthread_barrier_wait
pthread_barrierattr_destroy pthread_barrierattr_getpshared pthread_barrierattr_init pthread_barrierattr_setpshared
pthread_cancel pthread_clockjoin_np pthread_cond_broadcast pthread_cond_clockwait pthread_cond_destroy
pthread_cond_init pthread_cond_signal pthread_cond_timedwait pthread_cond_wait pthread_condattr_destroy
pthread_condattr_getclock pthread_condattr_getpshared pthread_condattr_init pthread_condattr_setclock
pthread_condattr_setpshared pthread_create pthread_detach pthread_equal pthread_exit pthread_getaffinity_np
pthread_getattr_default_np pthread_getattr_np pthread_getconcurrency pthread_getcpuclockid pthread_getname_np
pthread_getschedparam pthread_getspecific pthread_join pthread_key_create pthread_key_delete pthread_key_t
pthread_mutex_clocklock pthread_mutex_consistent pthread_mutex_consistent_np pthread_mutex_destroy
pthread_mutex_getprioceiling pthread_mutex_init pthread_mutex_lock pthread_mutex_setprioceiling
pthread_mutex_timedlock pthread_mutex_trylock pthread_mutex_unlock pthread_mutexattr_destroy
pthread_mutexattr_getprioceiling pthread_mutexattr_getprotocol pthread_mutexattr_getpshared
pthread_mutexattr_getrobust pthread_mutexattr_getrobust_np pthread_mutexattr_gettype pthread_mutexattr_init
pthread_mutexattr_setprioceiling pthread_mutexattr_setprotocol pthread_mutexattr_setpshared
pthread_mutexattr_setrobust pthread_mutexattr_setrobust_np pthread_mutexattr_settype pthread_once pthread_once_t
pthread_rwlock_clockrdlock pthread_rwlock_clockwrlock pthread_rwlock_destroy pthread_rwlock_init pthread_rwlock_rdlock
pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock pthread_rwlock_tryrdlock pthread_rwlock_trywrlock
pthread_rwlock_unlock pthread_rwlock_wrlock pthread_rwlockattr_destroy pthread_rwlockattr_getkind_np
pthread_rwlockattr_getpshared pthread_rwlockattr_init pthread_rwlockattr_setkind_np pthread_rwlockattr_setpshared
pthread_self pthread_setaffinity_np pthread_setattr_default_np pthread_setcancelstate pthread_setcanceltype
pthread_setconcurrency pthread_setname_np pthread_setschedparam pthread_setschedprio pthread_setspecific
pthread_spin_destroy pthread_spin_init pthread_spin_lock pthread_spin_trylock pthread_spin_unlock pthread_spinlock_t
pthread_t pthread_testcancel pthread_timedjoin_np pthread_tryjoin_np pthread_yield ptrdiff_t ptsname ptsname_r putc
putc_unlocked putchar putchar_unlocked putenv puts putw qecvt qecvt_r qfcvt qfcvt_r qgcvt qsort qsort_r quad_t
quick_exit rand rand_r random random_r rawmemchr rcbrtf realloc reallocarray realpath remainder remainderf remainderl
remove remquo remquof remquol rename renameat renameat2 rewind rhypotf rindex rint rintf rintl rnorm3d rnorm3df
rnorm4d rnorm4df round roundeven roundevenf roundevenl roundf roundl rpmatch scalb scalbf scalbl scalbln scalblnf
scalblnl scalbn scalbnf scalbnl scanf sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getcpu
sched_getparam sched_getscheduler sched_rr_get_interval sched_setaffinity sched_setparam sched_setscheduler
sched_yield secure_getenv seed48 seed48_r select setbuf setbuffer setenv setlinebuf setns setpayload setpayloadf
setpayloadl setpayloadsig setpayloadsigf setpayloadsigl setstate setstate_r setvbuf short sigabbrev_np sigdescr_np
signbit significand significandf significandl sigset_t sin sincosl sinf sinh sinhf sinhl sinl size_t snprintf sprintf
sqrt sqrtf sqrtl srand srand48 srand48_r srandom srandom_r sscanf ssize_t stpcpy stpncpy strcasecmp strcasecmp_l
strcasestr strcat strchr strchrnul strcmp strcoll strcoll_l strcpy strcspn strdup strerror strerror_l strerror_r
strerrordesc_np strerrorname_np strfromd strfromf strfroml strfry strftime strftime_l strlen strncasecmp strncasecmp_l
strncat strncmp strncpy strndup strnlen strpbrk strptime strptime_l strrchr strsep strsignal strspn strstr strtod
strtod_l strtof strtof32_l strtof32x_l strtof64_l strtof64x_l strtof_l strtok strtok_r strtol strtol_l strtold
strtold_l strtoll strtoll_l strtoq strtoul strtoul_l strtoull strtoull_l strtouq strverscmp strxfrm strxfrm_l
surf1DLayeredread surf1DLayeredwrite surf1Dread surf1Dwrite surf2DLayeredread surf2DLayeredwrite surf2Dread
surf2Dwrite surf3Dread surf3Dwrite surfCubemapLayeredread surfCubemapLayeredwrite surfCubemapread surfCubemapwrite
suseconds_t syncthreads_and syncthreads_count syncthreads_or system tan tanf tanh tanhf tanhl tanl tempnam tex1D
tex1DGrad tex1DLayered tex1DLayeredGrad tex1DLayeredLod tex1DLod tex1Dfetch tex2D tex2DGrad tex2DLayered
tex2DLayeredGrad tex2DLayeredLod tex2DLod tex2Dgather tex3D tex3DGrad tex3DLod texCubemap texCubemapGrad
texCubemapLayered texCubemapLayeredGrad texCubemapLayeredLod texCubemapLod tgamma tgammaf tgammal time time_t timegm
timelocal timer_create timer_delete timer_getoverrun timer_gettime timer_settime timer_t timespec_get timespec_getres
tmpfile tmpfile64 tmpnam tmpnam_r toascii tolower tolower_l totalorder totalorderf totalorderl totalordermag
totalordermagf totalordermagl toupper toupper_l trunc truncf truncl tzset u_char u_int u_int16_t u_int32_t u_int64_t
u_int8_t u_long u_quad_t u_short ufromfp ufromfpf ufromfpl ufromfpx ufromfpxf ufromfpxl uid_t uint uint2double
ull2double ullmax ullmin ulong ulong4_16a ulong4_32a ulonglong4_16a ulonglong4_32a umax umin ungetc unlockpt unsetenv
unshare useconds_t ushort va_list valloc vasprintf vdprintf vfprintf vfscanf volatile vprintf vscanf vsnprintf
vsprintf vsscanf wcstombs wctomb y0 y0f y0l y1 y1f y1l yn ynf ynl
"""

# Those of `cuda_fp16.h` and `cuda_bf16.h`, which a file with half precision includes.
_HALF_NAMES = """
half half2 nv_half nv_half2 nv_bfloat16 nv_bfloat162 h2ceil h2cos h2exp h2exp10 h2exp2 h2floor h2log h2log10 h2log2
h2rcp h2rint h2rsqrt h2sin h2sqrt h2tanh h2trunc hceil hcos hexp hexp10 hexp2 hfloor hlog hlog10 hlog2 hrcp hrint
hrsqrt hsin hsqrt htanh htrunc
"""

HEADER_NAMES = frozenset(f"{_NAMES} {_HALF_NAMES}".split())

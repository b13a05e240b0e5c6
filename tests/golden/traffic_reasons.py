"""Why a function of a sample moves more than 5% above the least possible; a reason that no longer applies fails."""

from __future__ import annotations

_TILES = (
    "every output element reads its operands or neighbours itself; reuse is left to the caches, not to shared memory"
)
_SIDES = (
    "each row and each column of tiles fetches what its points share again; small results are edges for the most part"
)
_COPIES = "blocks flush their copies of the bins, or chunks read what every bin needs, again and again"
_AGAIN = "what a thread has just written it reads from memory again, for another statement that meets it there"
_SHARED_OUT = "so small a matrix is dealt out to idle multiprocessors, beside which their partial results count"
_PARAMETERS = "a vector of one value for each column is read again for every row"

# (sample, function): what is moved more than once, and why.
REASONS: dict[tuple[str, str], str] = {
    ("batch_norm", "batch_norm"): _PARAMETERS,
    ("channels", "layer"): _SIDES,
    ("channels", "weights"): _SIDES,
    ("convolution", "convolve_30256d46"): _TILES,
    ("csr", "csr"): "x is read for every element, the bounds by every lane, and lanes beyond the last row repeat it",
    ("csr", "csr_norm"): "every thread of a row reads its bounds",
    ("csr", "csr_transposed"): "every point finds its row by its number, and reads the row's bounds and factor",
    ("datamining", "correlate"): _SIDES,
    ("datamining", "covariance"): _SIDES,
    ("dilate", "dilate"): _TILES,
    ("fdtd", "fdtd"): "each step of a field that fits in a grid of blocks is read from memory again by the next one",
    ("gaussian", "gaussian"): _TILES,
    ("gradients", "gradients"): _COPIES,
    ("histogram", "count_labels"): _COPIES,
    ("histogram", "histogram"): _COPIES,
    ("hog", "hog"): _COPIES,
    ("jacobi", "jacobi_2d"): "each step of a plate in a grid of blocks is read from memory again by the next one",
    ("jacobi", "jacobi_3d"): "tiles fetch what lies around them, and for so few steps a small block is fetched twice",
    ("joint_histogram", "joint_histogram"): _COPIES,
    ("pooling", "pooling"): _AGAIN,
    ("pooling", "lagged"): _AGAIN,
    ("pooling", "halved"): _AGAIN,
    ("gemm", "gemm_nn"): _SIDES,
    ("gemm", "gemm_nt"): _SIDES,
    ("gemm", "gemm_tn"): _SIDES,
    ("gemm", "gemm_tt"): _SIDES,
    ("gemm", "gemm_batched"): _SIDES,
    ("gemm_tensor", "gemm_half"): _SIDES,
    ("kmeans", "assign"): _SIDES,
    ("kmeans", "assign_in_space"): _SIDES,
    ("knn", "nearest"): _SIDES,
    ("knn", "neighbours"): _SIDES,
    ("matmul", "matmul"): _SIDES,
    ("norms", "layer_norm"): _PARAMETERS,
    ("norms", "rms_norm"): _PARAMETERS,
    ("plain", "survey"): "bins, rows and columns are reduced by blocks of their own, and all of them read the picture",
    ("resize", "resize"): _TILES,
    ("smallest", "smallest_of_columns"): "lists of ten values are large partial results beside columns of 129",
    ("srad", "srad"): "each iteration is two kernels that depend on each other, and a pixel reads its neighbours",
    ("apollo", "branches"): "two kernels that share a launch read x each",
    ("apollo", "norm_gradient"): _PARAMETERS,
    ("subgraphs", "graph3"): _SHARED_OUT,
    ("subgraphs", "graph9"): _SHARED_OUT,
    ("self_attention", "self_attention"): "so few queries have a block each, which reads keys and values for itself",
    ("semirings", "shortest"): _SIDES,
    ("semirings", "likeliest"): _SIDES,
    ("semirings", "chebyshev"): _SIDES,
    ("semirings", "gram"): _SIDES,
}

"""Faults that pencilc once had, to be put back into its source: random programs or a verifier must find each.

Each is the fault as it was, or the line that mends it taken out again.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edit:
    """In the file `path`, below the root, `old` stands once and becomes `new`."""

    path: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Defect:
    """A change of the compiler.

    `kinds`: the kinds of nests of `tests/fuzz/generator.py` whose programs of the fast tier are tried, one after the
    other, until one fails.  `tests`: what finds the fault where random programs cannot show it, as what a message says.
    """

    name: str
    edits: tuple[Edit, ...]
    kinds: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()


_OUTER = """            break
        expr = expr.operand
    return expr


def bare("""

DEFECTS = (
    Defect(
        "kills-end-anti-dependences",
        (
            Edit(
                "pencilc/poly/dependences/relaxed.py",
                "model.reads, kills=model.all_must)",
                "model.reads, kills=model.all_must.union(model.kills))",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[killed_copies-rand:3]",),
    ),
    Defect(
        "kills-end-output-dependences",
        (
            Edit(
                "pencilc/poly/dependences/relaxed.py",
                "output = model.flow(everything, model.all_must, model.all_may)",
                "output = model.flow(everything, model.all_must, model.all_may, kills=model.kills)",
            ),
        ),
        ("kill",),
    ),
    Defect(
        "dead-stores-dropped-behind-dependences",
        (
            Edit(
                "pencilc/poly/dependences/relaxed.py",
                "scop = replace(scop, statements=tuple(s for s in scop.statements if s.name not in dead))",
                "whole, scop = scop, replace(scop, statements=tuple(s for s in scop.statements if s.name not in dead))",
            ),
            Edit(
                "pencilc/poly/dependences/relaxed.py",
                "    model = flow_model(scop, planes)\n    everything",
                "    model = flow_model(whole if dead else scop, planes)\n    everything",
            ),
            Edit(
                "pencilc/poly/dependences/relaxed.py",
                "output = model.flow(everything, model.all_must, model.all_may)\n",
                "output = _without_statements(model.flow(everything, model.all_must, model.all_may), dead)\n"
                "    anti = _without_statements(anti, dead)\n",
            ),
        ),
        ("dead", "reused"),
    ),
    Defect(
        "loops-dealt-out-by-depth",
        (
            Edit(
                "pencilc/codegen/astgen.py",
                "            return node.name in names or has_loop(node.body, names)",
                "            return True",
            ),
            Edit(
                "pencilc/codegen/kernels.py",
                "axis = axes.get(ast.name)",
                "axis = next(iter(axes.values()), None)",
            ),
            Edit(
                "pencilc/schedule/elide.py",
                "            rows = tuple(row for row in tree.rows if not _is_single(scop, row, names))",
                "            rows = tree.rows if names else ()",
            ),
        ),
        ("scan",),
    ),
    Defect(
        "counter-of-peeled-iteration-undeclared",
        (
            Edit(
                "pencilc/codegen/host.py",
                "if not is_there and _mentions(item, own):",
                "if False:",
            ),
        ),
        ("peeled", "host"),
    ),
    Defect(
        "undone-initialisations-stay",
        (
            Edit(
                "pencilc/poly/extract.py",
                "scop = without_undone_inits(split_spaces(scop))",
                "scop = split_spaces(scop)",
            ),
        ),
        ("repeated",),
    ),
    Defect(
        "dead-code-in-the-one-thread",
        (
            Edit(
                "pencilc/codegen/kernels.py",
                "checked_body(self.scop)",
                "self.scop.region.body",
            ),
        ),
        ("dead",),
    ),
    Defect(
        "loops-split-at-merge-nodes",
        (
            Edit(
                "pencilc/schedule/fallback.py",
                "        elif index in position and not",
                "        elif index in position and groups[-1][0] == index and not",
            ),
        ),
        ("several", "scan"),
    ),
    Defect(
        "ordered-updates-then-other-work",
        (
            Edit(
                "pencilc/parts/in_place.py",
                "self._check_order((ahead, first, behind, last))",
                "pass",
            ),
        ),
        tests=("tests/fuzz/test_generated.py::test_kept_case[carried_bin]",),
    ),
    Defect(
        "templates-deduce-their-types",
        (Edit("pencilc/codegen/lowering.py", "return (call.arguments[0].type,)", "return ()"),),
        ("plain",),
    ),
    Defect(
        "helpers-without-const",
        (
            Edit(
                "pencilc/codegen/definitions.py",
                "own = with_selects(_with_const(definition, self.effects))",
                "own = with_selects(definition)",
            ),
        ),
        ("helpers",),
    ),
    Defect(
        "ragged-bins-packed",
        (
            Edit(
                "pencilc/ir/shapes.py",
                'return self.is_atomic and "private" in self.forms and self.ragged is None',
                'return self.is_atomic and "private" in self.forms',
            ),
            # An assertion has stood in front of it since.
            Edit(
                "pencilc/codegen/launch_packed.py",
                "import annotations\n",
                "import annotations\nfrom dataclasses import replace\n",
            ),
            Edit(
                "pencilc/codegen/launch_packed.py",
                "assert points_of.inner is not None",
                "points_of = replace(points_of, inner=points_of.inner or number(0))",
            ),
        ),
        ("scatters",),
    ),
    Defect(
        "lanes-do-not-wait-for-what-is-stored",
        (
            Edit(
                "pencilc/codegen/kernels.py",
                "meeting = (touched & written_behind) | (written & touched_behind)",
                "meeting = touched & written_behind",
            ),
        ),
        ("tail",),
    ),
    Defect(
        "arrays-of-run-time-extent-in-kernels",
        (
            Edit(
                "pencilc/poly/model/statements.py",
                "        arrays = [d for d in sized_at_run_time(stmt) if d is not stmt]",
                "        arrays: list[Declare] = []",
            ),
        ),
        ("conditional",),
    ),
    Defect(
        "member-arrays-looked-up-by-their-variable",
        (
            Edit(
                "pencilc/gpu/shapes/shape.py",
                "        arrays = [a for a in self.scop.arrays if a.symbol.name == base.symbol.name]",
                "        arrays = [self.scop.array(base.symbol.name)]",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[member_arrays-rand:3]",),
    ),
    Defect(
        "loops-over-accumulators-stay",
        (Edit("pencilc/poly/extract.py", "    region = with_accumulators_apart(unit, region)\n", ""),),
        tests=("tests/unit/test_unroll.py",),
    ),
    Defect(
        "bounds-without-optimum",
        (
            Edit(
                "pencilc/islx.py",
                'if not getattr(points, f"dim_has_{side}_bound")(isl.dim_type.set, position):',
                "if False:",
            ),
            Edit("pencilc/islx.py", 'if "unbounded optimum" not in str(error):', "if error:"),
        ),
        ("bounds",),
    ),
    Defect(
        "counters-of-the-type-of-another",
        (
            Edit(
                "pencilc/codegen/instances.py",
                "if isinstance(value, Name) and self._type_of(value.symbol.name) == iterator.type:",
                "if isinstance(value, Name):",
            ),
        ),
        ("counters",),
    ),
    Defect(
        "elements-of-another-type-than-their-sum",
        (
            Edit(
                "pencilc/codegen/instances.py",
                "value = value if reduction.operator.wide else argument(operand, bindings)",
                "pass",
            ),
        ),
        ("mixed",),
    ),
    Defect(
        "shifted-sums-carry-what-rounding-took",
        (Edit("pencilc/gpu/records.py", '            shifted_sums = "as-written"\n', "            pass\n"),),
        ("softmax",),
    ),
    Defect(
        "texts-of-forms-that-are-not-there",
        (
            Edit(
                "pencilc/codegen/indirect.py",
                "        steps += [private.points, RoomOfBins(private.bins)]\n",
                "        steps.append(RoomOfBins(private.bins))\n    steps.insert(0, (private or whole).points)\n",
            ),
        ),
        ("bins",),
    ),
    Defect(
        "helpers-of-the-host-stay-on-the-device",
        (
            Edit("pencilc/frontend/parse.py", "with_exports(_finished(context, unit))", "_finished(context, unit)"),
            Edit(
                "pencilc/frontend/regions/hosttext.py",
                "if chunk.body >= 0 and reached is not None and reached.is_exported:",
                "if chunk.body >= 0 and reached is not None and not reached.is_static:",
            ),
        ),
        ("outlined",),
    ),
    Defect(
        "host-functions-of-included-files-are-lost",
        (
            Edit(
                "pencilc/frontend/regions/hosttext.py",
                "if not is_local or (self.context.path_of(node.decl) == self.main_path and self._used_by_host(name)):",
                "if self.context.path_of(node.decl) == self.main_path and (not is_local or self._used_by_host(name)):",
            ),
        ),
        tests=("tests/diff/test_hosts.py::test_functions_of_included_files_are_kept",),
    ),
    Defect(
        "no-chained-assignments",
        (
            Edit(
                "pencilc/frontend/translate/statements.py",
                'if type(value).__name__ == "Assignment":\n            before, value = inner_assignment(self, value)',
                "pass",
            ),
        ),
        ("chained",),
    ),
    Defect(
        "host-code-beside-regions-is-pencil",
        (Edit("pencilc/frontend/parse.py", 'if not each.is_entry or name == "main":', "if name:"),),
        ("outlined",),
    ),
    Defect(
        "elements-are-not-behind-a-star",
        (
            Edit(
                "pencilc/frontend/translate/expressions.py",
                "if isinstance(operand.type, ArrayType) and not isinstance(operand, StringLiteral):",
                "if False:",
            ),
        ),
        ("chained",),
    ),
    Defect(
        "counters-behind-a-region-are-refused",
        (
            Edit(
                "pencilc/frontend/regions/outline.py",
                "    _check_types(context, inside, items[place.last :])\n",
                "    _check_types(context, inside, items[place.last :])\n"
                "    for loop in walk(body):\n"
                "        if type(loop).__name__ == 'For' and not loop.declares and loop.iterator.kind == 'param':\n"
                "            context.error('PC0108', 'a counter is used outside of its region', loop.span)\n",
            ),
        ),
        ("outlined",),
    ),
    Defect(
        "bounds-that-are-converted",
        (
            Edit(
                "pencilc/poly/model/affine.py",
                " or target == context.modulo or _fits(function, target, context):",
                " or target == context.modulo:",
            ),
        ),
        # Such loops have bounds that are data then: right, but with their counts looked up.
        tests=("tests/unit/test_poly_model.py::test_unsigned_arithmetic_that_may_wrap_is_not_affine",),
    ),
    Defect(
        "counters-without-a-factor",
        (
            Edit(
                "pencilc/frontend/translate/conditions.py",
                "    return relation, _divided(relation, distance, factor, never_negative)\n",
                "    return None\n",
            ),
            Edit(
                "pencilc/frontend/translate/conditions.py",
                "    if condition is None:\n",
                "    if condition is not None:\n",
            ),
            Edit(
                "pencilc/frontend/translate/conditions.py",
                "if whole is not None and mentions_any(whole, iterator.name):",
                "if whole is None:",
            ),
        ),
        ("bounds",),
    ),
    Defect(
        "plain-sums-are-not-named",
        (
            Edit(
                "pencilc/poly/detect/unmarked.py",
                "        if told.by_order and told.loop is not None:\n",
                "        if False:\n",
            ),
        ),
        tests=("tests/unit/test_remedies.py::test_a_plain_float_sum",),
    ),
    Defect(
        "operators-that-change-their-element",
        (
            Edit(
                "pencilc/poly/reductions/remedies.py",
                "    split = _element_of(scop, reduction)\n",
                "    split = None\n",
            ),
        ),
        tests=("tests/unit/test_remedies.py::test_operators_that_change_their_element",),
    ),
    Defect(
        "operands-that-are-treated-differently",
        (
            Edit(
                "pencilc/poly/diagnosis/laws.py",
                "if not self.kind and has_none(self.scop, self.reduction):",
                "if False:",
            ),
            Edit(
                "pencilc/poly/diagnosis/laws.py",
                "return [_of_operator(reduction, identity, order)]",
                "return [identity, order]",
            ),
        ),
        tests=("tests/unit/test_remedies.py::test_operators_that_change_their_element",),
    ),
    Defect(
        "own-names-in-messages",
        (
            Edit(
                "pencilc/poly/reductions/errors.py",
                "span, islx.sample_text(use, scop.spellings)",
                "span, islx.sample_text(use, {})",
            ),
        ),
        tests=("tests/unit/test_remedies.py::test_two_reductions_on_one_variable",),
    ),
    Defect(
        "variables-that-hide-others",
        (
            Edit(
                "pencilc/frontend/check/rules.py",
                "return inits.get(node.symbol.spelling)",
                "return inits.get(node.symbol.name)",
            ),
        ),
        tests=("tests/unit/test_remedies.py::test_a_variable_that_hides_the_initialised_one",),
    ),
    Defect(
        "output-is-to-be-defined",
        (Edit("pencilc/frontend/translate/remedies.py", "    if name in _OUTPUT:\n", "    if False:\n"),),
        tests=("tests/unit/test_remedies.py::test_output_is_kept_to_the_c_program",),
    ),
    Defect(
        "filled-memory-is-to-be-defined",
        (
            Edit(
                "pencilc/frontend/translate/remedies.py",
                '    if name in context.definitions or tr.state.kind not in ("region", "helper"):\n',
                "    if True:\n",
            ),
        ),
        tests=("tests/unit/test_remedies.py::test_memory_functions",),
    ),
    Defect(
        "pointers-to-void-are-arrays-of-void",
        (
            Edit(
                "pencilc/frontend/translate/remedies.py", 'element = next(_casts_to(function, name), "float")', "pass"
            ),
            Edit(
                "pencilc/frontend/translate/remedies.py",
                "if alias is not None and _only_use(function, name, alias):",
                "if False:",
            ),
        ),
        tests=("tests/unit/test_remedies.py::test_pointers",),
    ),
    Defect(
        "names-are-not-looked-for",
        (Edit("pencilc/frontend/syntax/near_names.py", "list(folded), 1, cutoff)", "list(folded), 1, 1.0)"),),
        tests=("tests/unit/test_remedies.py::test_misspelt_names",),
    ),
    Defect(
        "pragmas-are-not-looked-for",
        (
            Edit("pencilc/frontend/translate/collect.py", "    warn_misspelt(context)\n", ""),
            Edit(
                "pencilc/frontend/translate/collect.py",
                "from pencilc.frontend.translate.pragmas import pragma_kind, warn_misspelt",
                "from pencilc.frontend.translate.pragmas import pragma_kind",
            ),
        ),
        tests=("tests/unit/test_remedies.py::test_a_misspelt_pragma_beside_a_good_function",),
    ),
    Defect(
        "functions-without-a-result",
        (Edit("pencilc/frontend/check/paths.py", "if returns != VOID and ends(where.body):", "if False:"),),
        tests=("tests/errors/test_errors.py::test_expected_diagnostics[paths]",),
    ),
    Defect(
        "sums-of-plain-scalars-are-not-detected",
        (
            Edit(
                "pencilc/frontend/regions/autodetect.py",
                "return why_no_reduction(region, self.context.definitions, self.associative)",
                'return "it is no array"',
            ),
        ),
        tests=("tests/unit/test_left.py::test_scalar_reductions_are_detected",),
    ),
    Defect(
        "accesses-out-of-bounds-are-skipped",
        (
            Edit(
                "pencilc/verify/command.py",
                "if not reason and choice.ranges.impossible and preload() is None:",
                "if not reason and choice.ranges.impossible:",
            ),
        ),
        tests=("tests/unit/test_verify_faults.py::test_what_the_source_does_wrong_is_told_with_its_place",),
    ),
    Defect(
        "values-of-inits-that-are-read",
        (
            Edit(
                "pencilc/poly/reductions/errors.py",
                "for name in (reduction.init, *reduction.updates)]",
                "for name in reduction.updates]",
            ),
        ),
        tests=("tests/errors/test_errors.py::test_expected_diagnostics[flow]",),
    ),
    Defect(
        "what-is-only-loaded-need-not-be-copied-in",
        (
            Edit(
                "pencilc/gpu/storage/transfer.py",
                "_covered(arrays[0], found, (), touched, domains)",
                "_covered(arrays[0], found, (), [_range(s, a, domains) for s, a in found], domains)",
            ),
        ),
        tests=("tests/unit/gpu/verifiers/test_copies.py::test_what_is_loaded_for_nobody_is_copied_in",),
    ),
    Defect(
        "what-follows-bins-takes-what-every-thread-has-computed",
        (
            Edit("pencilc/parts/in_place.py", "body=body, prologue=first, post=()", "body=body, post=()"),
            Edit("pencilc/parts/in_place.py", "_sequence((*again, *post))", "_sequence(post)"),
        ),
        tests=("tests/fuzz/test_generated.py::test_kept_case[followed_bins]",),
    ),
    Defect(
        "values-too-large-for-shuffles-are-stitched",
        (Edit("pencilc/gpu/fusion/stitch.py", "if max(sizes, default=0) > LARGEST_SHUFFLED:", "if False:"),),
        tests=("tests/unit/gpu/fusion/test_stitch.py::test_what_is_too_large_for_shuffles_is_not_stitched",),
    ),
    Defect(
        "iterations-do-what-belongs-to-other-points",
        (
            Edit(
                "pencilc/codegen/frame.py",
                "if is_apart or is_shifted(ast, tree.rows, iterators[:count]):",
                "if is_apart:",
            ),
        ),
        tests=("tests/fuzz/test_generated.py::test_kept_case[every_second_element]",),
    ),
    Defect(
        "the-last-value-of-a-private-variable-is-lost",
        (Edit("pencilc/frontend/rewrite/private.py", "handed_on = live(name)", "handed_on = False"),),
        tests=("tests/diff/test_programs.py::test_program[private_scalars-rand:3]",),
    ),
    Defect(
        "elements-that-an-iteration-reads-of-the-last-are-its-own",
        (Edit("pencilc/poly/small_arrays.py", "if _is_carried(body, scalars[name])", "if not scalars[name]"),),
        tests=("tests/unit/test_small_arrays.py::test_what_stays_an_array",),
    ),
    Defect(
        "copies-of-a-body-share-their-variables",
        (
            Edit(
                "pencilc/poly/model/written_out.py",
                "symbols[node.symbol.name] = renamed(node.symbol, self.taken)",
                "symbols[node.symbol.name] = node.symbol",
            ),
        ),
        tests=("tests/unit/test_small_arrays.py", "tests/diff/test_programs.py::test_program[small_arrays-rand:3]"),
    ),
    Defect(
        "the-first-element-is-compared-with-nothing",
        (
            Edit(
                "pencilc/poly/detect/selections.py",
                'first = Binary("&&", selection.unset, any_found, INT, span)',
                "first = better",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[first_taken-rand:3]",),
    ),
    Defect(
        "what-is-unset-again-is-chosen",
        (
            Edit(
                "pencilc/poly/detect/selections.py",
                "if selection.takes_first and not _is_set_for_good(selection, loops):",
                "if False:",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[first_taken-rand:3]",),
    ),
    Defect(
        "conditions-are-asked-when-what-they-read-has-changed",
        (
            Edit(
                "pencilc/poly/model/kept_conditions.py",
                "return _evaluated_first(inner, changed, self.taken) if changed else inner",
                "return inner",
            ),
            Edit(
                "pencilc/poly/model/statements.py",
                "if not is_split or not self._is_stable(rest, stmt):",
                "if not is_split:",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[counted-rand:3]",),
    ),
    Defect(
        "elements-beyond-the-array-are-kept",
        (Edit("pencilc/poly/detect/unmarked.py", "stmt = replace(inside, then=stmt)", "pass"),),
        tests=("tests/diff/test_programs.py::test_program[counted-rand:3]",),
    ),
    Defect(
        "the-sign-of-a-counter-that-is-cast-is-lost",
        (
            Edit(
                "pencilc/frontend/translate/conditions.py",
                'if source.kind == "uint" and target.kind == "int" and target.size == source.size:',
                "if False:",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[signed_bounds-rand:3]",),
    ),
    Defect(
        "conversions-are-left-to-the-text-of-both-operands",
        (
            Edit(
                "pencilc/codegen/lowering.py",
                "    return _written_out(one, ctype), _written_out(other, ctype)",
                "    return one, other",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[signed_bounds-rand:3]",),
    ),
    Defect(
        "conditions-are-asked-again-behind-what-changes-them",
        (
            Edit("pencilc/poly/model/kept_conditions.py", "is_apart = stmt.span in self.apart", "is_apart = False"),
            Edit(
                "pencilc/poly/model/statements.py",
                "if not is_split or not self._is_stable(rest, stmt):",
                "if not is_split:",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[conditions_apart-rand:3]",),
    ),
    Defect(
        "an-else-between-extremes-goes-whatever-they-begin-with",
        (
            Edit(
                "pencilc/poly/detect/choices_apart.py",
                "return numbers[0] is not None and numbers[1] is not None and numbers[0] <= numbers[1]",
                "return True",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[choices_apart-rand:3]",),
    ),
    Defect(
        "what-the-next-round-begins-again-is-not-begun",
        (
            Edit(
                "pencilc/poly/dependences/inits.py",
                "undone = certain.domain()",
                "undone = followed.domain()",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[left_inits-rand:3]",),
    ),
    Defect(
        "what-begins-a-sum-goes-behind-where-its-loop-is-left",
        (Edit("pencilc/poly/detect/marking.py", " or self._may_leave_behind(item, loop)", ""),),
        tests=("tests/diff/test_programs.py::test_program[left_inits-rand:3]",),
    ),
    Defect(
        "a-thread-begins-what-others-have-begun",
        (
            Edit(
                "pencilc/gpu/shapes/shape.py",
                "if spread := tuple(r.name for r in reductions if len(self.owners.sharers(r)) > 1):",
                "if spread := tuple[str]():",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[spread_in_threads-rand:3]",),
    ),
    Defect(
        "bounds-are-read-where-a-variable-has-been",
        (
            Edit(
                "pencilc/poly/model/bounds_of_values.py",
                "return not names_in(value) & written and not is_given_elements(value)",
                "return True",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[bounds_of_values-rand:3]",),
    ),
    Defect(
        "structs-are-taken-when-what-they-are-made-of-has-changed",
        (Edit("pencilc/poly/detect/struct_values.py", "    if names_in(value) & written:\n", "    if False:\n"),),
        tests=("tests/diff/test_programs.py::test_program[struct_values-rand:3]",),
    ),
    Defect(
        "a-bound-that-the-body-changes-stays",
        (Edit("pencilc/frontend/translate/loops.py", "if _moves(bound, body):", "if False:"),),
        tests=("tests/diff/test_programs.py::test_program[changed_bounds-rand:3]",),
    ),
    Defect(
        "the-rows-of-a-helper-have-another-length",
        (
            Edit(
                "pencilc/frontend/rewrite/kept_extents.py",
                "written &= {name for param in params for name in _named_in(param.type)}",
                "written = set()",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[changed_bounds-rand:3]",),
    ),
    Defect(
        "extents-change-with-what-told-them",
        (
            Edit(
                "pencilc/frontend/rewrite/kept_extents.py",
                "if isinstance(node, Declare) and _named_in(node.symbol.type) & written:",
                "if False:",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[changed_bounds-rand:3]",),
    ),
    Defect(
        "both-forms-share-their-variables",
        (
            Edit(
                "pencilc/frontend/rewrite/private_arrays.py",
                "Block((_copied(private, taken),), loop.span)",
                "Block((private,), loop.span)",
            ),
        ),
        tests=("tests/unit/test_private_arrays.py::test_triangles[the_last_writes_all]",),
    ),
    Defect(
        "what-one-branch-sets-is-private",
        (Edit("pencilc/ir/exposure.py", "then.certain & otherwise.certain", "then.certain | otherwise.certain"),),
        tests=("tests/diff/test_programs.py::test_program[private_scalars-rand:3]",),
    ),
    Defect(
        "another-iteration-hands-on-its-value",
        (
            Edit(
                "pencilc/frontend/rewrite/private.py",
                "IntLiteral(abs(loop.step), ctype, span)",
                "IntLiteral(abs(loop.step) + 1, ctype, span)",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[private_scalars-rand:3]",),
    ),
    Defect(
        "an-access-may-leave-its-row",
        (Edit("pencilc/poly/extract.py", "if not outside.are_any:", "if True:"),),
        tests=("tests/diff/test_programs.py::test_program[flattened-rand:3]",),
    ),
    Defect(
        "what-leaves-its-row-touches-it-alone",
        (Edit("pencilc/poly/model/arrays.py", "exact = lvalue.span not in self._anywhere", "exact = True"),),
        tests=("tests/unit/test_flat_arrays.py",),
    ),
    Defect(
        "loops-under-conditions-stay-in-their-row",
        (Edit("pencilc/poly/model/flat_arrays.py", "if not one.range().is_subset(inside):", "if False:"),),
        tests=("tests/unit/test_flat_arrays.py",),
    ),
    Defect(
        "columns-that-are-data-stay-in-their-row",
        (Edit("pencilc/poly/model/flat_arrays.py", "not (is_affine or one.is_single_valued())", "False"),),
        tests=("tests/unit/test_flat_arrays.py",),
    ),
    Defect(
        "values-of-tables-are-not-of-their-type",
        (Edit("pencilc/poly/model/constant_tables.py", "return least <= number <= greatest", "return True"),),
        tests=("tests/diff/test_programs.py::test_program[tables_of_integers-rand:3]",),
    ),
    Defect(
        "registers-keep-what-other-iterations-on-the-host-left",
        (
            Edit(
                "pencilc/gpu/storage/placement.py",
                "return factors is not None and not any(factors[depth:])",
                "return True",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[two_row_tables-rand:3]",),
    ),
    Defect(
        "products-of-32-bits-do-not-wrap",
        (
            Edit(
                "pencilc/poly/model/flat_terms.py",
                'and not (ctype.kind == "uint" and ctype.size == 8)',
                'and ctype.kind != "uint"',
            ),
        ),
        tests=("tests/unit/test_flat_arrays.py::test_types_in_which_a_product_may_wrap[uint32_t-1]",),
    ),
    Defect(
        "counters-of-host-loops-wrap-in-kernels",
        (Edit("pencilc/codegen/frame.py", "for name in kernel.host}", "for name in ()}"),),
        tests=("tests/diff/test_programs.py::test_program[unsigned_hosts-rand:3]",),
    ),
    Defect(
        "chunks-along-another-row",
        (
            Edit("pencilc/codegen/segments.py", " and ast.name == self.frame.reduced_names[-1]", ""),
            Edit("pencilc/codegen/segments.py", "if not mentions_any(load.access, *lowers):", "if False:"),
        ),
        tests=("tests/diff/test_programs.py::test_program[few_columns-rand:3]",),
    ),
    Defect(
        "chunks-along-another-row-and-the-check-of-them",
        (Edit("pencilc/codegen/segments.py", " and ast.name == self.frame.reduced_names[-1]", ""),),
        tests=("tests/diff/test_programs.py::test_program[few_columns-rand:3]",),
    ),
    Defect(
        "a-product-lacks-a-factor",
        (Edit("pencilc/poly/model/products.py", "for factor in factors)", "for factor in factors[:2])"),),
        tests=("tests/diff/test_programs.py::test_program[products-rand:3]",),
    ),
    Defect(
        "what-is-known-of-products-is-one-too-much",
        (Edit("pencilc/poly/model/context.py", "len(factors) - 1))", "len(factors) - 2))"),),
        tests=("tests/unit/test_products.py::test_what_is_known_of_products",),
    ),
    Defect(
        "unsigned-products-are-those-of-numbers",
        (
            Edit(
                "pencilc/poly/model/products.py",
                "(tuple(sorted(names)), expr.type): 1}",
                "(tuple(sorted(names)), LLONG): 1}",
            ),
        ),
        tests=("tests/unit/test_products.py::test_an_unsigned_product_is_another_one_than_that_of_numbers",),
    ),
    Defect(
        "a-remainder-has-a-digit-too-many",
        (Edit("pencilc/poly/model/flat_loops.py", "first=whole.last - count + 1)", "first=whole.last - count)"),),
        tests=("tests/unit/test_flat_loops.py::test_the_order_of_three_sizes",),
    ),
    Defect(
        "loops-over-elements-end-within-a-row",
        (Edit("pencilc/poly/model/flat_loops.py", "any((*lower[1:], *upper[1:]))", "any(lower[1:])"),),
        tests=("tests/unit/test_flat_loops.py::test_what_stays[not_the_last_element]",),
    ),
    Defect(
        "negative-sizes-with-a-positive-product-are-taken",
        (
            Edit(
                "pencilc/poly/model/flat_arrays.py",
                "*(sizes for sizes in found if len(sizes) > 1))",
                "*(sizes for sizes in found if len(sizes) > 9))",
            ),
        ),
        tests=("tests/unit/test_flat_loops.py::test_sizes_of_which_two_are_negative_are_refused",),
    ),
    Defect(
        "elements-that-a-loop-in-a-construct-moves-are-loaded-ahead-of-it",
        (
            Edit(
                "pencilc/analysis/iterators.py",
                "return mentions_any(index, *inner, *_set_in(record.body))",
                "return mentions_any(index, *inner)",
            ),
        ),
        tests=("tests/unit/test_iterators.py",),
    ),
    Defect(
        "what-a-loop-of-a-construct-reads-is-loaded-ahead-of-it",
        (
            Edit(
                "pencilc/analysis/affinity.py",
                "return [*certain_indices(root.lower), *certain_indices(root.bound)]",
                "return [i for each in (root.lower, root.bound, root.body) for i in certain_indices(each)]",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[whole_constructs-rand:3]",),
    ),
    Defect(
        "arrays-whose-end-is-not-affine-have-none",
        (Edit("pencilc/gpu/shapes/shape.py", "if not access.exact or not has_end:", "if not access.exact:"),),
        tests=("tests/diff/test_programs.py::test_program[conditional_accesses-rand:3]",),
    ),
    Defect(
        "data-pick-elements-of-a-row-and-are-taken-to-stay-in-it",
        (Edit("pencilc/poly/model/flat_arrays.py", "return bool(everything.is_subset(leading))", "return True"),),
        tests=("tests/unit/test_flat_arrays.py::test_data_pick_the_rows_of_what_is_read_beside[in_rows]",),
    ),
    Defect(
        "a-dimension-is-dropped-that-has-subscripts",
        (Edit("pencilc/poly/model/flat_arrays.py", "or any(parts[position]", "or all(parts[position]"),),
        tests=("tests/diff/test_programs.py::test_program[products-rand:3]",),
    ),
    Defect(
        "the-first-statement-tells-where-a-value-of-the-row-is-and-no-check-of-it",
        (
            Edit("pencilc/codegen/stitch.py", "if promotion.of_row and promotion.address:", "if promotion.first < 0:"),
            Edit("pencilc/gpu/verifiers/steps.py", "if isinstance(each, Stitched):", "if not each:"),
        ),
        tests=("tests/diff/test_programs.py::test_program[one_row_before-rand:3]",),
    ),
    Defect(
        "the-first-access-is-the-address",
        (Edit("pencilc/gpu/fusion/register_promotion.py", "max(stages), address=address", "max(stages)"),),
        tests=("tests/diff/test_programs.py::test_program[one_row_before-rand:3]",),
    ),
    Defect(
        "narrow-counters-are-compared-with-zero",
        (
            Edit(
                "pencilc/codegen/astgen.py",
                'and ctype.kind == "uint" else',
                'and ctype.kind == "uint" and ctype.size > 2 else',
            ),
        ),
        tests=("tests/diff/test_programs.py::test_nvcc[unsigned_hosts-sm_90]",),
    ),
    Defect(
        "a-launch-follows-the-loop-by-its-own-name-and-no-check-of-it",
        (
            Edit("pencilc/codegen/host.py", "        if moved:", "        if not self.depth:"),
            Edit("pencilc/codegen/entry_walk.py", "if each.name in names_of(each.value):", "if not each.name:"),
        ),
        tests=("tests/diff/test_programs.py::test_program[fronts-fwd]",),
    ),
    Defect(
        "a-launch-follows-the-loop-by-its-own-name",
        (Edit("pencilc/codegen/host.py", "        if moved:", "        if not self.depth:"),),
        tests=("tests/diff/test_programs.py::test_program[fronts-fwd]",),
    ),
    Defect(
        "a-front-lacks-a-row-of-its-band",
        (Edit("pencilc/schedule/rows.py", "front = [reduce(_sum, band)]", "front = [reduce(_sum, band[1:])]"),),
        tests=("tests/unit/schedule/test_solve.py::test_a_front_where_it_makes_the_chain_of_steps_shorter",),
    ),
    Defect(
        "the-most-lines-decide",
        (Edit("pencilc/schedule/locality.py", "known.index(min(known))", "known.index(max(known))"),),
        tests=("tests/unit/schedule/test_locality.py",),
    ),
    Defect(
        "lines-of-a-launch-weigh-nothing",
        (Edit("pencilc/schedule/locality.py", " + _LAUNCH * WARP", ""),),
        tests=("tests/unit/schedule/test_locality.py",),
    ),
    Defect(
        "loops-in-order-with-twice-the-steps",
        (Edit("pencilc/schedule/solve.py", "length < 2 * min(steps)", "length < 99 * min(steps)"),),
        tests=("tests/unit/schedule/test_locality.py",),
    ),
    Defect(
        "inner-loops-in-order-that-run-backwards",
        (
            Edit(
                "pencilc/schedule/rows.py",
                'if flag_of(problem.validity, problem.relaxed, row) == "s" and _keeps_together(problem, row):',
                "if _keeps_together(problem, row):",
            ),
        ),
        tests=("tests/unit/schedule/test_locality.py",),
    ),
    Defect(
        "parts-wait-for-parts-of-others",
        (
            Edit(
                "pencilc/poly/dependences/relaxed.py",
                "both = both.preimage_range_union_pw_multi_aff(split.origins)",
                "both = pairs.preimage_range_union_pw_multi_aff(split.origins)",
            ),
        ),
        tests=("tests/unit/test_index_sets.py",),
    ),
    Defect(
        "moved-loops-meet-one-off",
        (Edit("pencilc/schedule/align.py", "of_second.sub(_at_zero(of_first, _SECOND))", "of_second"),),
        tests=("tests/unit/schedule/test_align.py",),
    ),
    Defect(
        "moved-loops-meet-on-some-pairs",
        (
            Edit(
                "pencilc/schedule/align.py",
                "if ties.is_subset(row[_FIRST].eq_map(row[_SECOND])):",
                "if not ties.is_disjoint(row[_FIRST].eq_map(row[_SECOND])):",
            ),
        ),
        tests=("tests/unit/schedule/test_align.py",),
    ),
    Defect(
        "folds-begin-at-zero",
        (Edit("pencilc/schedule/align.py", "{finer}[x] -> [({lowest})]", "{finer}[x] -> [(0)]"),),
        tests=("tests/unit/schedule/test_align.py",),
    ),
    Defect(
        "folds-of-windows-that-overlap",
        (
            Edit(
                "pencilc/schedule/align.py",
                "highest.sub(lowest).ge(isl.Val(step))",
                "highest.sub(lowest).gt(isl.Val(step))",
            ),
        ),
        tests=("tests/unit/schedule/test_align.py",),
    ),
    Defect(
        "folds-with-reductions-inside",
        (Edit("pencilc/schedule/align.py", 'if finer.flag == "P" and _is_a_point', "if _is_a_point"),),
        tests=("tests/unit/schedule/test_align.py",),
    ),
    Defect(
        "folds-in-front-of-whole-rows",
        (Edit("pencilc/schedule/align.py", "_is_a_point(problem, finer) and _is_little(problem, other)", "True"),),
        tests=("tests/unit/schedule/test_align.py",),
    ),
    Defect(
        "mirrors-that-do-not-turn",
        (Edit("pencilc/schedule/align.py", "of_finer.neg(), of_coarser.neg()", "of_finer.neg(), of_coarser"),),
        tests=("tests/unit/schedule/test_align.py",),
    ),
    Defect(
        "gaps-of-pairs-are-gaps-of-loops",
        (
            Edit(
                "pencilc/schedule/align.py",
                "_numbers(problem, rows[0], _FIRST), _numbers(problem, rows[1], _SECOND)",
                "*(isl.Map(f'{{ {n}[x] -> {n}[floor(x / 2)] }}') for n in (_FIRST, _SECOND)),",
            ),
        ),
        tests=("tests/unit/schedule/test_align.py",),
    ),
    Defect(
        "numbers-from-zero",
        (Edit("pencilc/schedule/align.py", "variable.sub(gap.get_offset()).scale_down", "variable.scale_down"),),
        tests=("tests/unit/schedule/test_align.py",),
    ),
    Defect(
        "members-are-kernels-of-their-own",
        (Edit("pencilc/schedule/fuse.py", "(*found, *_along_lines(problem, first, second, pairings))", "found"),),
        tests=("tests/unit/schedule/test_locality.py",),
    ),
    Defect(
        "loops-in-order-of-a-thread-run-backwards-together",
        (
            Edit(
                "pencilc/schedule/fuse.py",
                "if flag_of(_between(links.validity, first, second), {}, row) is None:",
                "if not row:",
            ),
        ),
        tests=("tests/unit/schedule/test_fuse.py",),
    ),
    Defect(
        "all-members-begin-at-the-first",
        (Edit("pencilc/analysis/lines.py", "offset += _offset_of(array.symbol.type, array.member_path)", "pass"),),
        tests=("tests/unit/schedule/test_locality.py",),
    ),
    Defect(
        "relaxed-pairs-cross-parallel-rows",
        (Edit("pencilc/schedule/fuse.py", "all(zero_along(relaxed, row) for row in rows) and _same", "_same"),),
        tests=("tests/unit/schedule/test_fuse.py",),
    ),
    Defect(
        "sectors-count-alike-wherever-they-lie",
        (Edit("pencilc/ir/thread_rows.py", "return self.lines, self.spread", "return self.lines, Fraction(0)"),),
        tests=("tests/unit/test_thread_rows.py",),
    ),
    Defect(
        "folds-are-dealt-out-again",
        (Edit("pencilc/schedule/solve.py", "        child = _in_order(child)", "        child = solve(inner)"),),
        tests=("tests/unit/schedule/test_align.py",),
    ),
    Defect(
        "a-quotient-tells-its-loop",
        (
            Edit(
                "pencilc/schedule/problem.py",
                "(0,) * function.dim(isl.dim_type.in_) if islx.is_quotient(function) else vector_of(function)",
                "vector_of(function)",
            ),
        ),
        tests=("tests/unit/schedule/test_align.py",),
    ),
    Defect(
        "loops-are-moved-by-one-of-their-statements",
        (
            Edit(
                "pencilc/schedule/align.py",
                "found = [relation.apply_domain(onto[s]).apply_range(onto[t]) for (s, t), relation in pairs.items()]",
                "found = [p.apply_domain(onto[s]).apply_range(onto[t]) for (s, t), p in list(pairs.items())[:1]]",
            ),
        ),
        tests=("tests/unit/schedule/test_align.py",),
    ),
    Defect(
        "rows-that-others-determine-are-dealt-out-too",
        (Edit("pencilc/schedule/rows.py", "            found.append(row)", "            found = list(rows)"),),
        tests=("tests/unit/schedule/test_rows.py",),
    ),
    Defect(
        "statements-that-share-loops-part-in-a-front",
        (
            Edit("pencilc/schedule/rows.py", "ilp_rows(problem, sharing=True)", "ilp_rows(problem)"),
            Edit("pencilc/schedule/rows.py", "is_new and _keeps_together(problem, row) and", "is_new and"),
        ),
        tests=("tests/unit/test_schedule_programs.py::test_schedule_line[handed_on_in_a_front]",),
    ),
    Defect(
        "sums-along-diagonals-go-to-bins",
        (Edit("pencilc/schedule/rows.py", "constraint.is_equality() and one and other", "one and not other"),),
        tests=("tests/property/test_parallelism.py::test_sums_along_diagonals_have_rows",),
    ),
    Defect(
        "a-launch-takes-no-longer-than-a-step",
        (Edit("pencilc/schedule/chains.py", "return LAUNCH + _in_one", "return _in_one"),),
        tests=("tests/unit/schedule/test_chains.py",),
    ),
    Defect(
        "loops-on-the-host-are-steps-of-a-thread",
        (Edit("pencilc/schedule/chains.py", "case Band() if not has_parallelism(tree):", "case Band():"),),
        tests=("tests/unit/schedule/test_solve.py",),
    ),
    Defect(
        "sums-along-mirrored-diagonals-have-rows-of-their-own",
        (Edit("pencilc/schedule/rows.py", "tuple(_as_subscript(problem, row) for row in rows)", "tuple(rows)"),),
        tests=("tests/property/test_parallelism.py::test_sums_along_diagonals_have_rows",),
    ),
    Defect(
        "parts-of-a-statement-have-an-instance-twice",
        (
            Edit(
                "pencilc/poly/dependences/index_sets.py",
                "return function.pos_set() if side > 0",
                "return function.nonneg_set() if side > 0",
            ),
        ),
        tests=("tests/unit/test_index_sets.py",),
    ),
    Defect(
        "instances-on-a-hyperplane-are-in-no-part",
        (
            Edit(
                "pencilc/poly/dependences/index_sets.py",
                "        if not part.is_empty():",
                "        if 0 not in sides and not part.is_empty():",
            ),
        ),
        tests=("tests/unit/test_index_sets.py",),
    ),
    Defect(
        "a-statement-is-cut-by-one-hyperplane-at-most",
        (Edit("pencilc/poly/dependences/index_sets.py", "PLANES = 2", "PLANES = 1"),),
        tests=("tests/unit/test_index_sets.py",),
    ),
    Defect(
        "tiles-hand-on-one-of-two-values",
        (
            Edit(
                "pencilc/gpu/shapes/tiling.py",
                "if len(handed_on) != 1 or not _has_one_place",
                "if not handed_on or not _has_one_place",
            ),
            Edit("pencilc/gpu/shapes/tiling.py", "domains, *handed_on)", "domains, min(handed_on))"),
        ),
        tests=("tests/unit/gpu/shapes/test_tiling.py",),
    ),
    Defect(
        "tiles-fetch-what-a-condition-leaves-out",
        (
            Edit(
                "pencilc/gpu/shapes/tiling.py",
                "return self.domains[read.statement] if read.certain else self.shaper.within_array(read, self.domains)",
                "return self.domains[read.statement]",
            ),
        ),
        tests=("tests/unit/gpu/shapes/test_tiling.py",),
    ),
    Defect(
        "tiles-of-elements-that-store",
        (Edit("pencilc/gpu/shapes/tiling.py", "if _handed_on(shaper, others) or not all", "if not all"),),
        tests=("tests/unit/gpu/shapes/test_tiling.py",),
    ),
    Defect(
        "tiles-share-a-local-of-one-thread",
        (Edit("pencilc/gpu/shapes/tiling.py", "if shared[0] & shared[1] or shared[0] & shared[2] or ", "if "),),
        tests=("tests/unit/gpu/shapes/test_tiling.py",),
    ),
    Defect(
        "locals-of-points-without-elements-are-lost",
        (Edit("pencilc/gpu/shapes/seen.py", 'symbol.kind != "local"', 'symbol.kind != ""'),),
        tests=("tests/diff/test_programs.py::test_program[triangular_halves-fwd]",),
    ),
    Defect(
        "what-stages-make-of-points-without-elements-is-stored",
        (Edit("pencilc/codegen/tiling.py", "if shared.has_others and not asks:", "if False:"),),
        tests=("tests/unit/codegen/test_tiling.py",),
    ),
    Defect(
        "points-begin-again-with-what-is-written-since",
        (Edit("pencilc/gpu/shapes/seen.py", "scop.read(shared.before).isdisjoint(written)", "True"),),
        tests=("tests/unit/gpu/shapes/test_seen.py",),
    ),
    Defect(
        "elements-that-are-asked-for-are-light",
        (Edit("pencilc/gpu/shapes/tiling.py", "is_light=made.is_light and not asks", "is_light=made.is_light"),),
        tests=("tests/unit/gpu/shapes/test_seen.py",),
    ),
    Defect(
        "products-of-points-that-read-a-part",
        (Edit("pencilc/gpu/shapes/tiling.py", "is_product = is_product and not is_partial", "pass"),),
        tests=("tests/diff/test_programs.py::test_program[triangular_halves-fwd]",),
    ),
    Defect(
        "tiles-with-results-alone-have-elements",
        (
            Edit(
                "pencilc/codegen/tiling.py",
                "return frame.affine.condition(those, known)\n\n    def _tiles_with",
                "return None\n\n    def _tiles_with",
            ),
        ),
        tests=("tests/diff/test_uneven_traffic.py",),
    ),
    Defect(
        "no-tile-has-elements",
        (Edit("templates/reduce/tiles.cuh.j2", "{{ r.with_elements }} ?", "!({{ r.with_elements }}) ?"),),
        tests=("tests/diff/test_programs.py::test_program[triangular_halves-fwd]",),
    ),
    Defect(
        "a-triangle-is-told-as-a-box",
        (
            Edit(
                "pencilc/gpu/report/uneven.py",
                "yield any(beside.involves_dims",
                "yield False and any(beside.involves_dims",
            ),
        ),
        tests=("tests/unit/gpu/report/test_uneven.py",),
    ),
    Defect(
        "the-report-fetches-for-tiles-without-points",
        (
            Edit(
                "pencilc/gpu/report/uneven.py",
                "self.occupied = whole if tiling.occupied is None else",
                "self.occupied = whole if True else",
            ),
        ),
        tests=("tests/unit/gpu/report/test_uneven.py",),
    ),
    Defect(
        "stitched-rows-never-give-way-to-tiles",
        (Edit("pencilc/codegen/host.py", "instead=tuple(self._tiled_instead(stitched)),", "instead=(),"),),
        tests=("tests/diff/test_attention.py::test_a_stitched_kernel_has_a_form_in_tiles",),
    ),
    Defect(
        "other-lanes-of-a-warp-are-named-than-those-of-the-row",
        (
            Edit(
                "templates/runtime.cu.j2",
                "const unsigned first = threadIdx.y * blockDim.x % PENCILC_WARP, among",
                "const unsigned first = 0, among",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[stitched_short-rand:3]",),
    ),
    Defect(
        "a-warp-waits-for-rows-that-are-done",
        (
            Edit(
                "templates/runtime.cu.j2",
                "if (FEW && blockDim.x < PENCILC_WARP) {",
                "if (FEW && blockDim.x < PENCILC_WARP / 2) {",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[stitched_short-rand:3]",),
    ),
    Defect(
        "a-chunk-lies-a-warp-behind-the-last-in-a-row-of-few-lanes",
        (Edit("templates/reduce/stitch.cuh.j2", "&& blockDim.x < PENCILC_WARP ? (int)blockDim.x :", "&& false ? 1 :"),),
        tests=("tests/diff/test_programs.py::test_program[stitched_short-rand:3]",),
    ),
    Defect(
        "rows-of-a-warp-have-half-of-the-lanes-that-they-need",
        (
            Edit(
                "templates/runtime.cu.j2",
                "lanes > 1 && lanes / 2 * shared >= chunks",
                "lanes > 1 && lanes * shared >= chunks",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[stitched_short-rand:3]",),
    ),
    Defect(
        "lanes-of-a-row-exchange-as-a-warp",
        (Edit("pencilc/codegen/row_walk.py", "if node.few != self.few:", "if False and node.few != self.few:"),),
        tests=("tests/unit/codegen/test_row_walk.py::test_the_lanes_that_have_a_row_exchange_it",),
    ),
    Defect(
        "a-warp-has-several-rows-in-a-form-that-is-none",
        (Edit("pencilc/codegen/launch_walk.py", "if node.shared and node.shared not in self.held:", "if False:"),),
        tests=("tests/unit/codegen/test_launch_walk.py::test_functions_are_made_for_the_numbers_that_they_have",),
    ),
    Defect(
        "composed-rows-never-give-way-to-tiles",
        (Edit("pencilc/codegen/host.py", "instead=tuple(self._tiled_instead(composed)),", "instead=(),"),),
        tests=("tests/diff/test_attention.py::test_a_composed_kernel_has_a_form_in_tiles",),
    ),
    Defect(
        "a-local-of-an-outer-loop-moves-with-nothing",
        (Edit("pencilc/gpu/shapes/tiling.py", "[name in scope or mentions_any(", "[mentions_any("),),
        tests=("tests/diff/test_attention.py::test_a_composed_kernel_has_a_form_in_tiles",),
    ),
    Defect(
        "the-first-of-equal-ones-is-the-last",
        (
            Edit(
                "pencilc/poly/detect/chosen_functions.py",
                '"" if True in takes_first else "="',
                '"=" if True in takes_first else ""',
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[nearest_by_places-rand:3]",),
    ),
    Defect(
        "places-go-down-unseen",
        (
            Edit(
                "pencilc/gpu/verifiers/tiles.py",
                "return behind.is_subset(along.lex_lt_map(along))",
                "return behind.is_subset(behind)",
            ),
        ),
        tests=("tests/unit/gpu/verifiers/test_tiles.py::test_a_fold_by_places_along_a_row_that_goes_down",),
    ),
    Defect(
        "a-whole-tile-is-asked-no-more",
        (Edit("templates/reduce/tiles.cuh.j2", "@columns - @first_column >= @tile_columns;", "@columns > 0;"),),
        tests=("tests/diff/test_programs.py::test_program[nearest_by_places-rand:3]",),
    ),
    Defect(
        "tiles-however-few-points-there-are",
        (Edit("pencilc/codegen/launch_fused.py", "at_least(points, tiles.launch.tile_points)", "at_least(points, 1)"),),
        tests=("tests/diff/test_attention.py::test_a_composed_kernel_has_a_form_in_tiles",),
    ),
    Defect(
        "a-path-that-launches-nothing-is-not-seen",
        (Edit("pencilc/codegen/choice_rules.py", "if told and not path.started and not path.is_idle:", "if False:"),),
        tests=("tests/unit/codegen/test_choice_rules.py",),
    ),
    Defect(
        "work-is-launched-twice-unseen",
        (
            Edit(
                "pencilc/codegen/choice_rules.py",
                "if not work and path.started > 1:",
                "if not work and path.started > 2:",
            ),
        ),
        tests=("tests/unit/codegen/test_choice_rules.py",),
    ),
    Defect(
        "a-function-is-started-twice-unseen",
        (Edit("pencilc/codegen/choice_rules.py", "    if twice:", "    if False:"),),
        tests=("tests/unit/codegen/test_choice_rules.py", "tests/unit/codegen/test_host_verifier.py"),
    ),
    Defect(
        "bins-that-a-pack-leaves-are-launched-by-nobody-unseen",
        (
            Edit(
                "pencilc/codegen/choice_rules.py",
                "if is_there and not done and (each.condition is not None or not path.is_idle):",
                "if False:",
            ),
        ),
        tests=("tests/unit/codegen/test_choice_rules.py", "tests/unit/codegen/test_host_verifier.py"),
    ),
    Defect(
        "more-work-than-is-left-unseen",
        (Edit("pencilc/codegen/choice_rules.py", "or (done and not is_there):", "or False:"),),
        tests=("tests/unit/codegen/test_choice_rules.py",),
    ),
    Defect(
        "shared-memory-is-compared-with-nothing",
        (Edit("pencilc/codegen/shared_rules.py", "if not self._is_at_most(provided, limit):", "if False:"),),
        tests=("tests/unit/codegen/test_shared_rules.py",),
    ),
    Defect(
        "shared-memory-is-allowed-by-nobody-unseen",
        (Edit("pencilc/codegen/shared_rules.py", "if limit is None:", "if False:"),),
        tests=("tests/unit/codegen/test_shared_rules.py",),
    ),
    Defect(
        "memory-that-a-function-declares-is-given-again-unseen",
        (Edit("pencilc/codegen/shared_rules.py", "self._taken(limit.symbol.name) >= own", "own >= 0"),),
        tests=("tests/unit/codegen/test_shared_rules.py",),
    ),
    Defect(
        "functions-that-are-called-declare-nothing",
        (Edit("pencilc/codegen/shared_memory.py", "            pending += called", "            pass"),),
        tests=("tests/unit/codegen/test_shared_memory.py", "tests/unit/codegen/test_shared_rules.py"),
    ),
    Defect(
        "a-composed-kernel-may-have-48-KB-alone",
        (
            Edit(
                "pencilc/codegen/launch_fused.py",
                "Configure(grid, block, _USED), AllowShared(function, _LIMIT), StartKernel(",
                "Configure(grid, block, _USED), StartKernel(",
            ),
        ),
        tests=("tests/unit/codegen/test_host_verifier.py",),
    ),
    Defect(
        "a-composed-kernel-is-given-what-it-declares",
        (Edit("pencilc/codegen/launch_fused.py", '[assigned(_LIMIT, number(launch.static), "-")] if', "[] if"),),
        tests=("tests/unit/codegen/test_host_verifier.py",),
    ),
    Defect(
        "one-multiprocessor-is-none",
        (
            Edit(
                "pencilc/codegen/launch_paths.py",
                "return small[0] <= large[0] + large[1]",
                "return False",
            ),
        ),
        tests=("tests/unit/codegen/test_launch_paths.py",),
    ),
    Defect(
        "memory-by-another-condition-than-the-launch",
        (
            Edit(
                "pencilc/codegen/choice_rules.py",
                "if not any(asked <= variables_of(grid) for grid in grids):",
                "if False:",
            ),
        ),
        tests=("tests/unit/codegen/test_choice_rules.py",),
    ),
    Defect(
        "short-rows-are-launched-by-nobody",
        (
            Edit(
                "pencilc/codegen/launch_reductions.py",
                "_blocks(launch, launch.blocks), narrow))",
                "_blocks(launch, launch.blocks)))",
            ),
        ),
        tests=("tests/unit/codegen/test_launch_reductions.py", "tests/unit/codegen/test_host_verifier.py"),
    ),
    Defect(
        "rows-that-do-not-fit-are-held",
        (
            Edit(
                "pencilc/codegen/launch_fused.py",
                "assigned(fit, above(_THREADS, 0)),",
                "assigned(fit, at_least(_THREADS, 0)),",
            ),
        ),
        tests=("tests/unit/codegen/test_launch_fused.py",),
    ),
    Defect(
        "counters-of-one-iteration-lose-their-type",
        (
            Edit(
                "pencilc/poly/model/single_loops.py",
                "return lower if lower.type == ctype else Cast(lower, ctype, loop.span)",
                "return lower",
            ),
        ),
        tests=("tests/unit/test_single_loops.py",),
    ),
    Defect(
        "several-reduced-rows-go-by-even-steps",
        (Edit("pencilc/gpu/shapes/tiling.py", "is_even = len(self.loop.rows) == 1 and all(", "is_even = all("),),
        tests=("tests/unit/gpu/shapes/test_tiling.py",),
    ),
    Defect(
        "operands-lie-evenly-whatever-their-subscripts",
        (
            Edit(
                "pencilc/gpu/shapes/tiling.py",
                "coefficient(subscript, row) is not None for",
                "coefficient(subscript, row) != 0.5 for",
            ),
        ),
        tests=("tests/unit/gpu/shapes/test_tiling.py",),
    ),
    Defect(
        "largest-tiles-in-two-blocks-of-a-multiprocessor",
        (
            Edit(
                "pencilc/gpu/shapes/tiles.py",
                "    if bytes_ > POINTS_BYTES:\n        return 1",
                "    if bytes_ > POINTS_BYTES:\n        return TILES_RESIDENT",
            ),
        ),
        tests=("tests/unit/gpu/shapes/test_tiles.py",),
    ),
    Defect(
        "tiles-whatever-they-take",
        (Edit("templates/runtime.cu.j2", "if (least >= 0 && time >= least) continue;", "if (least >= 0) continue;"),),
        tests=("tests/diff/test_tile_choice.py",),
    ),
    Defect(
        "blocks-that-wait-take-no-time",
        (Edit("templates/runtime.cu.j2", "const double waiting = (double)times *", "const double waiting = 0 *"),),
        tests=("tests/diff/test_tile_choice.py",),
    ),
    Defect(
        "a-fixed-tree-has-as-many-blocks-as-the-device",
        (Edit("templates/runtime.cu.j2", "several < fewest ? fewest : several < most", "several < most"),),
        tests=("tests/diff/test_tile_choice.py",),
    ),
    Defect(
        "one-result-of-several-at-once-is-combined",
        (Edit("templates/reduce/tiles.cuh.j2", "@other[256 * @t]);", "@other[0]);"),),
        tests=("tests/diff/test_tiles.py::test_tiles_that_several_blocks_share",),
    ),
    Defect(
        "rest-of-a-product-is-fetched-by-chunks",
        (
            Edit(
                "pencilc/ir/tiles.py",
                "return replace(self, width=1, is_whole=False)",
                "return replace(self, is_whole=False)",
            ),
        ),
        tests=("tests/unit/codegen/test_tile_nodes.py",),
    ),
    Defect(
        "what-is-left-is-stored-while-a-stage-is-used",
        (
            Edit(
                "templates/reduce/tiles.cuh.j2",
                "if (@at < @last) {\n    __syncthreads();\n",
                "if (@at < @last) {\n",
            ),
        ),
        tests=("tests/diff/test_tiles.py::test_every_size_of_tile[4-in order]",),
    ),
    Defect(
        "the-next-stage-is-stored-where-this-one-is-used",
        (
            Edit(
                "templates/reduce/tiles.cuh.j2",
                "    if (!@is_next) break;\n    @now ^= 1;\n",
                "    if (!@is_next) break;\n",
            ),
        ),
        tests=("tests/diff/test_tiles.py::test_every_size_of_tile[4-in order]",),
    ),
    Defect(
        "stages-are-seen-without-a-barrier",
        (
            Edit(
                "pencilc/codegen/tile_nodes.py",
                '(StoreTile(parts.operands), Sync("block")))',
                "(StoreTile(parts.operands),))",
            ),
        ),
        tests=("tests/unit/codegen/test_tile_nodes.py",),
    ),
    Defect(
        "what-is-left-of-a-product-is-left-out",
        (
            Edit(
                "pencilc/ir/tiles.py",
                "return replace(self, width=1, is_whole=False)",
                "return replace(self, width=1)",
            ),
        ),
        tests=("tests/diff/test_tiles.py::test_every_size_of_tile[16-reduced]",),
    ),
    Defect(
        "what-is-left-of-a-product-is-fetched-beyond-its-end",
        (
            Edit(
                "templates/runtime.cu.j2",
                "if (!WHOLE && y > more_points) continue;",
                "",
            ),
        ),
        tests=("tests/diff/test_tiles.py::test_every_size_of_tile[16-reduced]",),
    ),
    Defect(
        "tiles-where-a-side-is-narrow",
        (
            Edit(
                "pencilc/codegen/launch_reductions.py",
                "If(are_wide, _tiles(launch), _narrow_tiles(launch.narrow)),",
                "*_tiles(launch),",
            ),
        ),
        tests=("tests/unit/codegen/test_launch_reductions.py",),
    ),
    Defect(
        "points-without-a-halo-where-there-is-room",
        (
            Edit(
                "pencilc/codegen/launch_points.py",
                "If(are_wide, tiles, parallel(launch.narrow))",
                "*parallel(launch.narrow)",
            ),
        ),
        tests=("tests/unit/codegen/test_launch_points.py",),
    ),
    Defect(
        "bins-are-copied-though-they-do-not-fit",
        (
            Edit(
                "pencilc/codegen/launch_bins.py",
                "return (If(step.fits, _step(launch, step.private), _step(launch, step.whole)),)",
                "return _step(launch, step.private)",
            ),
        ),
        tests=("tests/unit/codegen/test_launch_bins.py",),
    ),
    Defect(
        "partial-bins-are-brought-together-by-nobody",
        (
            Edit(
                "pencilc/codegen/launch_bins.py",
                "*(If(several, _finish(each, form.bins)) for each in form.finishing),",
                "",
            ),
        ),
        tests=("tests/unit/codegen/test_launch_bins.py",),
    ),
    Defect(
        "bins-that-do-not-fit-into-a-pack-are-lost",
        (Edit("pencilc/codegen/launch_packed.py", "found.append(If(others, bins(part.part.overflow)))", "pass"),),
        tests=("tests/unit/codegen/test_launch_packed.py",),
    ),
    Defect(
        "a-loop-of-few-points-has-blocks-that-do-not-wait",
        (Edit("pencilc/codegen/launch_loops.py", "together=above(BLOCKS, 1)", "together=number(0)"),),
        tests=("tests/unit/codegen/test_launch_loops.py",),
    ),
    Defect(
        "the-host-waits-where-memory-is-counted",
        (
            Edit(
                "pencilc/codegen/launch_nodes.py",
                "return If(counts, (assigned(waits, TRUE),), asked)",
                "return If(counts, asked, (assigned(waits, TRUE),))",
            ),
        ),
        tests=("tests/unit/codegen/test_launch_nodes.py", "tests/unit/codegen/test_launch_points.py"),
    ),
    Defect(
        "variables-begun-where-others-end-them",
        (
            Edit(
                "pencilc/codegen/sequential.py",
                "if not are_at_one_place(tree.rows, reduction):",
                "if not tree.rows:",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[begun_elsewhere-fwd]",),
    ),
    Defect(
        "iterations-on-the-host-that-others-end",
        (
            Edit(
                "pencilc/parts/cut.py",
                "(has_parallelism(rest) and self._ends_inside(first, rest))",
                "has_parallelism(rest)",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[begun_elsewhere-fwd]",),
    ),
    Defect(
        "variables-carried-over-others",
        (
            Edit(
                "pencilc/analysis/sums.py",
                "return beside >= {*reduction.updates} and are_at_one_place(rows, reduction)",
                "return beside >= {*reduction.updates} and rows is not None",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[begun_elsewhere-fwd]",),
    ),
    Defect(
        "operands-taken-to-move-evenly",
        (
            Edit(
                "pencilc/gpu/shapes/tiling.py",
                "is_even = len(self.loop.rows) == 1 and all(",
                "is_even = len(self.loop.rows) >= 1 or all(",
            ),
        ),
        tests=("tests/diff/test_tensor_cores.py::test_operands_that_move_unevenly_are_looked_at_each_time",),
    ),
    Defect(
        "whole-chunks-however-they-are-aligned",
        (
            Edit(
                "templates/runtime.cu.j2",
                "whole = whole && pencilc_is_aligned(at(first",
                "whole = whole && nullptr != (at(first",
            ),
        ),
        tests=("tests/diff/test_tensor_cores.py::test_every_layout",),
    ),
    Defect(
        "whole-tiles-beyond-the-last-place",
        (Edit("templates/runtime.cu.j2", "bool whole = RUN && first + SIDE <= places;", "bool whole = RUN;"),),
        tests=("tests/diff/test_tensor_cores.py::test_every_layout",),
    ),
    Defect(
        "stages-fetched-into-the-one-in-use",
        (Edit("pencilc/codegen/tile_nodes.py", "before, minus(now, ONE))\n", "before, now)\n"),),
        tests=("tests/diff/test_tensor_cores.py::test_every_layout",),
    ),
    Defect(
        "copied-rows-are-not-waited-for",
        (
            Edit(
                "templates/reduce/stitch.cuh.j2",
                "__pipeline_wait_prior(0);  // what a thread reads it has copied itself",
                "__pipeline_wait_prior(1);",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[rows_copied-rand:3]",),
    ),
    Defect(
        "small-elements-are-copied-by-words",
        (Edit("pencilc/codegen/long_rows.py", "each.type.size >= _WORD", "each.type.size >= 2"),),
        tests=("tests/unit/codegen/test_long_rows.py",),
    ),
    Defect(
        "a-value-is-read-that-no-iteration-asks-for",
        (Edit("pencilc/poly/detect/best_places.py", "if search.is_guarded:", "if not search.names:"),),
        tests=("tests/unit/test_guarded_places.py",),
    ),
    Defect(
        "the-host-divides-where-the-source-does-not",
        (
            Edit(
                "pencilc/poly/model/quotients_of_params.py",
                'return choice(binary("!=", other, zero), binary(op, one, other), zero)',
                "return binary(op, one, other)",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[quotients_of_sizes-rand:3]",),
    ),
    Defect(
        "truths-are-made-where-nothing-is-asked",
        (
            Edit(
                "pencilc/poly/detect/inner_totals.py",
                "updated.update.kind not in (OperatorKind.AND, OperatorKind.OR)",
                "updated.update.kind is not None",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[inner_totals-rand:3]",),
    ),
    Defect(
        "loops-of-one-round-that-are-left-are-no-loops",
        (Edit("pencilc/schedule/elide.py", "is StatementKind.LEAVE for", "is None for"),),
        tests=("tests/unit/schedule/test_loops_after_loops.py",),
    ),
    Defect(
        "two-results-of-a-thread-share-a-loop",
        (Edit("pencilc/schedule/fuse.py", "if problem.around or _is_spread", "if _is_spread"),),
        tests=("tests/unit/schedule/test_loops_after_loops.py",),
    ),
    Defect(
        "rows-of-a-block-are-counted-in-the-type-of-the-host",
        (Edit("pencilc/codegen/parameters.py", "counted if index == LLONG else cast(index, counted)", "counted"),),
        tests=("tests/diff/test_programs.py::test_program[constant_sizes-rand:3]",),
    ),
    Defect(
        "short-loops-that-are-left-are-written-out",
        (Edit("pencilc/poly/model/short_loops.py", "if not has_own_jump(stmt.body):", "if stmt.body:"),),
        tests=("tests/diff/test_programs.py::test_program[loops_after_loops-rand:3]",),
    ),
    Defect(
        "results-stay-behind-loops-that-others-have-joined",
        (Edit("pencilc/schedule/fuse.py", "return _with_merges_moved(problem, fused)", "return fused"),),
        tests=("tests/unit/schedule/test_loops_after_loops.py",),
    ),
    Defect(
        "updates-of-several-loops-join-what-they-go-on-from",
        (
            Edit(
                "pencilc/schedule/fuse.py",
                "if problem.around or _is_spread(problem, before, group):",
                "if problem.around:",
            ),
        ),
        tests=("tests/unit/schedule/test_loops_after_loops.py",),
    ),
    Defect(
        "what-a-loop-that-data-end-reads-is-a-total",
        (
            Edit(
                "pencilc/poly/detect/inner_totals.py",
                "return mentions_of(around, name) == sum(",
                "return mentions_of(around, name) >= sum(",
            ),
        ),
        tests=("tests/unit/test_inner_totals.py::test_what_stays_as_it_is",),
    ),
    Defect(
        "an-element-is-updated-by-what-nothing-was-counted-of",
        (Edit("pencilc/poly/detect/inner_totals.py", "if keeps and _is_there(updated.target):", "if keeps:"),),
        tests=("tests/unit/test_inner_totals.py::test_the_update_stands_behind",),
    ),
    Defect(
        "a-nest-without-braces-is-left-as-its-inner-loop-is",
        (Edit("pencilc/ir/queries.py", "    if isinstance(body, For | While):\n        return False\n", ""),),
        tests=("tests/unit/test_inner_totals.py::test_the_update_stands_behind",),
    ),
    Defect(
        "what-an-update-reads-is-changed-before",
        (
            Edit("pencilc/parts/in_place.py", "if u in updates and any(", "if not updates and any("),
            Edit("pencilc/parts/in_place.py", "self._check_order((ahead, first, behind, last))", "pass"),
        ),
        tests=("tests/diff/test_programs.py::test_program[labels_changed-rand:3]",),
    ),
    Defect(
        "changed-conditions-are-asked-once",
        (Edit("pencilc/codegen/instances.py", "and not _may_change_condition(last):", "and last.then:"),),
        tests=("tests/diff/test_programs.py::test_program[conditions_changed-rand:3]",),
    ),
    Defect(
        "what-helpers-change-does-not-count",
        (
            Edit(
                "pencilc/codegen/instances.py",
                "isinstance(part, Call) and not read.isdisjoint(_places_told(part))",
                "isinstance(part, Call) and not part.arguments",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[conditions_changed-rand:3]",),
    ),
    Defect(
        "elements-without-updates-are-touched",
        (Edit("pencilc/poly/reductions/by_flow.py", "if is_known and touched.is_subset(extent):", "if touched:"),),
        tests=("tests/diff/test_programs.py::test_program[touched-rand:3]",),
    ),
    Defect(
        "arrays-of-unknown-extents-are-there",
        (Edit("pencilc/poly/reductions/by_flow.py", "if is_known and touched", "if touched"),),
        tests=("tests/diff/test_programs.py::test_program[touched-rand:3]",),
    ),
    Defect(
        "rows-downwards-are-counted-upwards",
        (Edit("pencilc/codegen/ragged.py", 'return binary("-", number(constant), row)', "return row"),),
        tests=("tests/diff/test_programs.py::test_program[rows_downwards-rand:3]",),
    ),
    Defect(
        "counters-that-nothing-reads-have-no-name",
        (
            Edit(
                "pencilc/frontend/rewrite/counters.py",
                "{*identifiers, *names_of_region(region)}",
                "{*identifiers, *names_in(region.body)}",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[counters_apart-rand:3]",),
    ),
    Defect(
        "copied-loops-declare-no-counters",
        (
            Edit(
                "pencilc/frontend/rewrite/private_arrays.py",
                "if isinstance(node, For) and not node.declares:",
                "if isinstance(node, For) and node is not node:",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[counters_apart-rand:3]",),
    ),
    Defect(
        "what-points-reach-is-not-reduced",
        (Edit("pencilc/poly/detect/unmarked.py", "if reached and (together", "if not group and (together"),),
        tests=("tests/unit/test_detect.py",),
    ),
    Defect(
        "what-is-independent-is-reduced",
        (
            Edit(
                "pencilc/poly/detect/unmarked.py",
                "if loop.independent and not any(is_listed(clause, site) for clause in loop.reductions):",
                "if loop.independent and loop.reductions == group:",
            ),
        ),
        tests=("tests/unit/test_detect.py",),
    ),
    Defect(
        "stages-waited-for-one-too-late",
        (
            Edit(
                "templates/reduce/tensor.cuh.j2",
                "__pipeline_wait_prior(@stages - 2);",
                "__pipeline_wait_prior(@stages - 1);",
            ),
        ),
        tests=("tests/diff/test_tensor_cores.py::test_every_layout",),
    ),
    Defect(
        "stages-counted-where-something-is-fetched",
        (
            Edit(
                "pencilc/codegen/tile_nodes.py",
                "NEXT, product.keeps_places),)),\n        CommitStage(),\n",
                "NEXT, product.keeps_places), CommitStage())),\n",
            ),
        ),
        tests=("tests/unit/codegen/test_tile_nodes.py",),
    ),
    Defect(
        "stages-of-a-triangle-begin-a-point-too-late",
        (
            Edit(
                "pencilc/codegen/tiling.py",
                "start.le_set(row)).intersect(row.lt_set",
                "start.lt_set(row)).intersect(row.lt_set",
            ),
        ),
        tests=("tests/unit/codegen/test_tiling.py",),
    ),
    Defect(
        "stages-of-a-triangle-though-a-result-is-seen",
        (
            Edit(
                "pencilc/gpu/shapes/seen.py",
                "return None if has_others and not keeps_others(scop, shared.carried) else",
                "return",
            ),
        ),
        tests=("tests/unit/codegen/test_tiling.py",),
    ),
    Defect(
        "tiles-of-a-triangle-end-before-their-last-point",
        (Edit("pencilc/codegen/tiling.py", "highest.add_constant_val(isl.Val(1))", "highest"),),
        tests=("tests/unit/codegen/test_tiling.py",),
    ),
    Defect(
        "as-many-lanes-of-a-line-as-elements-of-a-sector",
        (Edit("templates/runtime.cu.j2", "BYTES > 8 ? 2 : BYTES > 4 ? 4 : 8;", "BYTES > 4 ? 32 / BYTES : 8;"),),
        tests=("tests/diff/test_programs.py::test_program[tiles-rand:3]",),
    ),
    Defect(
        "elements-that-compare-unrolled-as-others",
        (Edit("pencilc/gpu/shapes/tiles.py", "    if tiling.compares:\n", "    if False:\n"),),
        tests=("tests/unit/gpu/shapes/test_tiles.py",),
    ),
    Defect(
        "comparisons-of-operators-not-seen",
        (
            Edit(
                "pencilc/gpu/shapes/tiling.py",
                "operations(self.scop, self.loop.statements, self._operators())",
                "operations(self.scop, self.loop.statements, ())",
            ),
        ),
        tests=("tests/unit/gpu/shapes/test_tiling.py",),
    ),
    Defect(
        "a-box-around-that-is-too-small-for-some-sizes",
        (Edit("pencilc/analysis/box.py", "if function.gt_set(each)", "if function.lt_set(each)"),),
        tests=("tests/unit/test_box.py",),
    ),
    Defect(
        "loads-in-flight-beside-any-operator",
        (Edit("pencilc/gpu/shapes/launch.py", "if any(selects(function)", "if False and any(selects(function)"),),
        tests=("tests/unit/gpu/shapes/test_launch.py",),
    ),
    Defect(
        "triangles-fetch-what-nothing-reads",
        (Edit("pencilc/codegen/tile_nodes.py", "tuple(each for each in operands if each.read is None)", "operands"),),
        tests=("tests/unit/codegen/test_tiling.py",),
    ),
    Defect(
        "stages-on-the-diagonal-without-conditions",
        (
            Edit(
                "pencilc/codegen/tile_nodes.py",
                "use = _use(parts, None, LAST)\n",
                "use = _use(parts, None, LAST, parts.partial.element if parts.partial is not None else None)\n",
            ),
        ),
        tests=("tests/unit/codegen/test_tile_nodes.py",),
    ),
    Defect(
        "stages-behind-a-triangle-before-all-have-used-the-last-one",
        (
            Edit(
                "pencilc/codegen/tile_nodes.py",
                'If(is_left, (Sync("block"), *_others(parts, is_left)))',
                "If(is_left, _others(parts, is_left))",
            ),
        ),
        tests=("tests/unit/codegen/test_tile_nodes.py",),
    ),
    Defect(
        "a-statement-has-fewer-points-than-its-stage",
        (
            Edit(
                "pencilc/gpu/shapes/tiling.py",
                "if not elements.is_subset(each)) if is_partial else ()",
                "if not elements.is_subset(each)) if False else ()",
            ),
        ),
        tests=("tests/unit/gpu/shapes/test_tiling.py",),
    ),
    Defect(
        "loops-of-a-point-torn-from-the-local-they-hand-on",
        (
            Edit(
                "pencilc/gpu/shapes/own_tiles.py",
                "if not _locals(scop, children[begins[-1] : at]) & _locals(scop, children[at:]):",
                "if True:",
            ),
        ),
        tests=("tests/unit/gpu/shapes/test_own_tiles.py",),
    ),
    Defect(
        "loops-of-a-point-apart-though-one-has-no-tiles",
        (Edit("pencilc/gpu/shapes/own_tiles.py", "and all(_has_tiles", "and any(_has_tiles"),),
        tests=("tests/unit/gpu/shapes/test_own_tiles.py",),
    ),
    Defect(
        "triangles-store-outside-of-tiles",
        (Edit("pencilc/codegen/tiling.py", "stored = If(loops, (stored,))", "pass"),),
        tests=("tests/diff/test_programs.py::test_program[tiles-rand:3]",),
    ),
    Defect(
        "a-halo-is-one-too-small",
        (
            Edit(
                "pencilc/gpu/shapes/halo.py",
                "return HeldDimension(k, factor, least, most)",
                "return HeldDimension(k, factor, least, most - 1)",
            ),
        ),
        tests=("tests/unit/gpu/shapes/test_halo.py",),
    ),
    Defect(
        "tiles-of-several-iterations-reach-one-too-little",
        (Edit("pencilc/gpu/time_tiles.py", "max(0, -least), max(0, most)", "max(0, -least), max(0, most - 1)"),),
        tests=("tests/unit/gpu/test_time_tiles.py", "tests/unit/gpu/verifiers/test_time.py"),
    ),
    Defect(
        "steps-behind-do-not-widen-a-step",
        (Edit("pencilc/ir/time_tiles.py", "self.steps[number + 1 :]", "self.steps[number + 2 :]"),),
        tests=("tests/unit/gpu/test_time_tiles.py", "tests/unit/gpu/verifiers/test_time.py"),
    ),
    Defect(
        "what-iterations-hand-on-is-not-swapped",
        (
            Edit(
                "pencilc/gpu/time_tiles.py",
                "else not self._is_made_first(uses, written)",
                "else self._is_made_first(uses, written)",
            ),
        ),
        tests=("tests/unit/gpu/test_time_tiles.py", "tests/unit/gpu/verifiers/test_time.py"),
    ),
    Defect(
        "borders-come-from-the-launch-before",
        (
            Edit(
                "pencilc/codegen/time_tiles.py",
                "either = Ternary(is_written, taken, own, array.index.type, UNKNOWN_SPAN)",
                "either = taken",
            ),
        ),
        tests=("tests/unit/codegen/test_time_tiles.py", "tests/unit/codegen/test_time_walk.py"),
    ),
    Defect(
        "iterations-of-a-tile-without-a-barrier-between",
        (
            Edit(
                "pencilc/codegen/time_tiles.py",
                'for step in steps for node in (step, Sync("block")))]',
                "for node in steps)]",
            ),
        ),
        tests=("tests/unit/codegen/test_time_tiles.py", "tests/unit/codegen/test_time_walk.py"),
    ),
    Defect(
        "nobody-looks-at-what-steps-leave-right",
        (Edit("pencilc/gpu/verifiers/time.py", "if array.symbol in other.writes:", "if not other.writes:"),),
        tests=("tests/unit/gpu/test_time_tiles.py", "tests/unit/gpu/verifiers/test_time.py"),
    ),
    Defect(
        "an-odd-number-of-swaps",
        (
            Edit(
                "pencilc/codegen/launch_loops.py",
                "number(count)), 2)",
                "number(count)), 1)",
            ),
        ),
        tests=("tests/diff/test_time_tiles.py::test_iterations_share_launches",),
    ),
    Defect(
        "a-ring-without-a-place-for-the-next-plane",
        (Edit("pencilc/gpu/shapes/halo_sizes.py", "while planes < high - low + 2:", "while planes < high - low + 1:"),),
        tests=("tests/unit/gpu/verifiers/test_halo.py", "tests/unit/gpu/shapes/test_halo.py"),
    ),
    Defect(
        "the-next-plane-is-one-too-far",
        (Edit("pencilc/codegen/halo.py", 'binary("<", after, steps)', 'binary("<=", after, steps)'),),
        tests=("tests/unit/codegen/test_halo.py", "tests/unit/codegen/test_halo_walk.py"),
    ),
    Defect(
        "the-last-plane-is-loaded-and-not-stored",
        (Edit("pencilc/codegen/halo.py", "now = conjunction(asked(step))", "now = conjunction(asked(after))"),),
        tests=("tests/unit/codegen/test_halo.py",),
    ),
    Defect(
        "nobody-looks-whether-planes-that-are-loaded-are-stored",
        (
            Edit(
                "pencilc/codegen/halo_walk.py",
                "in sorted(control.ahead ^ stored | control.ahead ^ fetched.ahead)",
                "in ()",
            ),
        ),
        tests=("tests/unit/codegen/test_halo_walk.py",),
    ),
    Defect(
        "threads-copy-what-they-have-no-place-for",
        (Edit("pencilc/codegen/halo.py", "distance, number(-1))", "distance, number(0))"),),
        tests=("tests/unit/codegen/test_halo.py",),
    ),
    Defect(
        "tiles-fetch-what-lies-outside-of-the-array",
        (Edit("pencilc/gpu/shapes/halo.py", "touched = touched.intersect(extent).coalesce()", "pass"),),
        tests=("tests/unit/gpu/shapes/test_halo.py",),
    ),
    Defect(
        "values-are-handed-on-before-the-updates-behind-the-loops",
        (
            Edit(
                "pencilc/ir/shapes.py",
                "return (*self.post, *(reduction.merge for reduction in scop.reductions_of(self.continued)))",
                "return (*(reduction.merge for reduction in scop.reductions_of(self.continued)), *self.post)",
            ),
        ),
        tests=("tests/unit/gpu/verifiers/test_placements.py",),
    ),
    Defect(
        "a-point-for-each-thread-and-few-blocks",
        (
            Edit(
                "pencilc/codegen/launch_points.py",
                'blocks_for(first, member(_BLOCK, "x", UNSIGNED), MAX_WIDE)',
                'blocks_for(first, member(_BLOCK, "x", UNSIGNED), per_sm(8))',
            ),
        ),
        tests=("tests/unit/codegen/test_launch_points.py",),
    ),
    Defect(
        "nobody-looks-whether-each-point-has-a-thread",
        (Edit("pencilc/codegen/launch_walk.py", "if function.covers and not self._has_all_blocks():", "if False:"),),
        tests=("tests/unit/codegen/test_launch_walk.py",),
    ),
    Defect(
        "places-along-x-in-32-bits",
        (
            Edit(
                "pencilc/codegen/kernels.py",
                "place = rank(at, axis, self.frame.index)  #",
                "place = rank(at, axis)  #",
            ),
        ),
        tests=("tests/unit/codegen/test_kernels.py",),
    ),
    Defect(
        "all-points-have-whole-windows",
        (Edit("pencilc/codegen/frame.py", "for where in (whole, whole.complement())", "for where in (whole, whole)"),),
        tests=("tests/unit/codegen/test_frame.py",),
    ),
    Defect(
        "windows-are-whole-where-they-are-cut-most",
        (Edit("pencilc/analysis/interior.py", "if values >= most:", "if most < 0 or values <= most:"),),
        tests=("tests/unit/test_interior.py",),
    ),
    Defect(
        "bounds-in-32-bits-without-asking",
        (
            Edit(
                "pencilc/codegen/astgen.py",
                "return bool(context.is_subset(function.ge_set(low).intersect(function.le_set(high))))",
                "return True",
            ),
        ),
        tests=("tests/unit/codegen/test_astgen.py",),
    ),
    Defect(
        "given-sequences-in-any-order",
        (
            Edit(
                "pencilc/schedule/given.py",
                "            if place[source] > place[target]:",
                "            if place[source] > place[target] and not pairs.is_empty() and source == target:",
            ),
        ),
        tests=("tests/unit/schedule/test_given.py",),
    ),
    Defect(
        "given-marks-are-believed",
        (
            Edit(
                "pencilc/schedule/given.py",
                "if _STRONGER.index(row.flag) < _STRONGER.index(actual):",
                'if row.flag == "R" and actual == "s":',
            ),
        ),
        tests=("tests/unit/schedule/test_given.py",),
    ),
    Defect(
        "given-instances-at-one-time",
        (
            Edit(
                "pencilc/schedule/given.py", "        if place.is_injective():", "        if place.is_single_valued():"
            ),
        ),
        tests=("tests/unit/schedule/test_given.py",),
    ),
    Defect(
        "given-locals-shifted-apart",
        (
            Edit(
                "pencilc/schedule/given.py",
                'if actual == "s" and source_row(problem) is not None:\n            self._check',
                'if actual == "R" and source_row(problem) is not None:\n            self._check',
            ),
        ),
        tests=("tests/unit/schedule/test_given.py",),
    ),
    Defect(
        "updates-of-a-reused-result-together",
        (
            Edit(
                "pencilc/schedule/fuse.py",
                "        waited_for = _waited_for(problem, before, group)",
                "        waited_for = set[str]()",
            ),
        ),
        tests=("tests/property/test_parallelism.py",),
    ),
    Defect(
        "neighbours-one-by-one",
        (
            Edit(
                "pencilc/poly/dependences/flow.py",
                "part.coalesce() if part.n_basic_map() >= _NEIGHBOURS else part",
                "part",
            ),
        ),
        tests=("tests/unit/test_flow.py",),
    ),
    Defect(
        "one-thread-passes-what-it-waits-for",
        (Edit("pencilc/parts/one_thread.py", "            if len(met) == 1:", "            if met:"),),
        tests=("tests/unit/parts/test_one_thread.py",),
    ),
    Defect(
        "loops-of-own-bins-around-all",
        (
            Edit(
                "pencilc/gpu/shapes/indirect.py",
                "groupby(children, lambda child: all(name in known for name in statements_of(child)))",
                "groupby(children, lambda child: bool(known))",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[own_bins-rand:3]",),
    ),
    Defect(
        "arrays-private-though-read-from-before",
        (
            Edit(
                "pencilc/poly/private_arrays.py",
                "    return bool(before.is_empty())",
                "    return bool(writes)",
            ),
        ),
        tests=("tests/unit/test_private_arrays.py",),
    ),
    Defect(
        "last-values-of-private-arrays-lost",
        (
            Edit(
                "pencilc/frontend/rewrite/private_arrays.py",
                "    if wanted.handed_on:\n        parts =",
                "    if wanted.handed_on and array.kind == 'local':\n        parts =",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[private_arrays-rand:3]",),
    ),
    Defect(
        "what-nothing-has-written-is-handed-on",
        (
            Edit(
                "pencilc/poly/private_arrays.py",
                "    if unwritten.is_empty():\n        return wanted",
                "    if unwritten.is_empty() or reads:\n        return wanted",
            ),
        ),
        tests=("tests/unit/test_private_arrays.py",),
    ),
    Defect(
        "loops-side-by-side-count-like-the-first",
        (
            Edit(
                "pencilc/codegen/frame.py",
                "loop_type(self.scop, rows)) for rows",
                "loop_type(self.scop, rows[:1])) for rows",
            ),
        ),
        tests=("tests/unit/codegen/test_frame.py",),
    ),
    Defect(
        "private-arrays-of-any-size",
        (
            Edit(
                "pencilc/islx.py",
                "        if fitting is None:\n            return False",
                "        if fitting is None:\n            continue",
            ),
        ),
        tests=("tests/unit/test_private_arrays.py",),
    ),
    Defect(
        "row-values-loaded-that-nobody-set",
        (
            Edit(
                "pencilc/gpu/fusion/register_promotion.py",
                "        return bool(wanted.intersect_params(self.scop.context).is_empty())",
                "        return True",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[kills-rand:3]",),
    ),
    Defect(
        "the-first-place-is-the-last-one",
        (
            Edit(
                "pencilc/poly/detect/selections.py",
                "return self.unset is not None if self.compared is None else self.compared.is_strict",
                "return self.compared is not None and self.compared.is_strict",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[last_places-rand:3]",),
    ),
    Defect(
        "what-is-found-again-stays-the-first",
        (
            Edit(
                "pencilc/poly/detect/selections.py",
                "return decides and _is_set_for_good(selection, around)",
                "return decides",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[last_places-rand:3]",),
    ),
    Defect(
        "the-first-one-was-there-before",
        (
            Edit(
                "pencilc/poly/detect/selections.py",
                'return any_found if selection.unset is None else Binary("&&", selection.unset, any_found, INT, span)',
                "return any_found",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[last_places-rand:3]",),
    ),
    Defect(
        "what-belongs-to-a-place-may-change",
        (
            Edit(
                "pencilc/poly/detect/selections.py",
                "return not names_in(value) & (_changing(loops[0]) - counters)",
                "return bool(loops or counters)",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[last_places-rand:3]",),
    ),
    Defect(
        "what-stands-beside-a-place-is-gone",
        (
            Edit(
                "pencilc/poly/detect/selections.py",
                "Block((update, *selection.beside), span)",
                "Block((update,), span)",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[last_places-rand:3]",),
    ),
    Defect(
        "a-value-follows-what-stands-beside",
        (
            Edit(
                "pencilc/poly/detect/selections.py",
                "if not others or names_in(*(value for _, value in others)) & written_names(Block(beside, stmt.span)):",
                "if not others:",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[last_places-rand:3]",),
    ),
    Defect(
        "flags-of-several-values",
        (
            Edit(
                "pencilc/poly/detect/unmarked.py",
                "if is_set and not all(same(s.update.element, group[0].update.element) for s in group):",
                "if is_set and not group:",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[flags-rand:3]",),
    ),
    Defect(
        "five-and-one-is-five",
        (
            Edit(
                "pencilc/poly/detect/unmarked.py",
                "if not self._begins_as_truth(group[0], loop, [i for i in inits if not isinstance(i, str)]):",
                "if not group:",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[flags-rand:3]",),
    ),
    Defect(
        "nothing-is-set-to-one",
        (
            Edit(
                "pencilc/codegen/identity.py",
                'case OperatorKind.SET:\n            return _number("0.0", 0, ctype)',
                'case OperatorKind.SET:\n            return _number("1.0", 1, ctype)',
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[flags-rand:3]",),
    ),
    Defect(
        "any-number-is-a-truth",
        (
            Edit(
                "pencilc/poly/reductions/updates.py",
                'return value in (0, 1)\n    return isinstance(expr.type, Scalar) and expr.type.kind == "bool"',
                "return value in (0, 1)\n    return isinstance(expr.type, Scalar)",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[flags-rand:3]",),
    ),
    Defect(
        "extremes-of-some-are-those-of-all",
        (
            Edit(
                "pencilc/poly/detect/marking.py",
                "if update.guard is not None:\n                marked",
                "if not update:\n                marked",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[masked_extremes-rand:3]",),
    ),
    Defect(
        "kernels-of-a-loop-do-not-meet",
        (
            Edit(
                "pencilc/codegen/loops.py",
                'lambda instance: (*self._instance(instance), Sync("launch"))',
                "lambda instance: self._instance(instance)",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[loops_in_one_launch-rand:3]",),
    ),
    Defect(
        "fronts-begin-one-late",
        (
            Edit("pencilc/codegen/hostloops.py", "import number, symbol", "import binary, number, symbol"),
            Edit(
                "pencilc/codegen/hostloops.py",
                "return (For(iterator, node.lower,",
                'return (For(iterator, binary("+", node.lower, number(1)),',
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[loops_in_one_launch-rand:3]",),
    ),
    Defect(
        "loops-read-what-they-write-through-the-read-only-cache",
        (
            Edit(
                "pencilc/codegen/loops.py",
                "self.exchanged = frozenset(name for",
                "self.exchanged = frozenset(name for name in () for",
            ),
        ),
        tests=("tests/diff/test_loops.py",),
    ),
    Defect(
        "whole-blocks-beyond-the-last-row-of-blocks",
        (
            Edit(
                "pencilc/codegen/loops.py",
                'return (If(binary("<", BLOCK["x"], times(binary("/", BLOCKS["x"], layer), layer)), (call,)),)',
                "return (call,)",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[loops_in_one_launch-rand:3]",),
    ),
    Defect(
        "what-a-round-writes-is-taken-as-written-behind-its-loop",
        (
            Edit(
                "pencilc/poly/dependences/flow.py",
                "sure = [rounds.get(islx.in_name(part), frozenset()) <= around for part in parts]",
                "sure = [True for part in parts]",
            ),
        ),
        tests=("tests/unit/test_rounds.py",),
    ),
    Defect(
        "rounds-go-on-before-it-is-known-whether-they-do",
        (
            Edit(
                "pencilc/poly/dependences/relaxed.py",
                "    if not leaves:\n        return islx.empty_map()",
                "    if leaves or not leaves:\n        return islx.empty_map()",
            ),
        ),
        tests=("tests/unit/test_rounds.py",),
    ),
    Defect(
        "kernels-on-the-wrong-side-of-a-leave-are-not-seen",
        (Edit("pencilc/gpu/verifiers/rounds.py", "if late or early:", "if late and early:"),),
        tests=("tests/unit/test_rounds.py",),
    ),
    Defect(
        "kernels-outside-of-the-loop-that-is-left-are-not-seen",
        (
            Edit(
                "pencilc/gpu/verifiers/rounds.py",
                "if s not in inside and _is_in(scop.statement(s), leave)]",
                "if False]",
            ),
        ),
        tests=("tests/unit/test_rounds.py",),
    ),
    Defect(
        "a-do-tests-before-its-round",
        (
            Edit(
                "pencilc/poly/model/rounds.py",
                "(*inside, *ends) if loop.do_first else (*ends, *inside)",
                "(*ends, *inside)",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[rounds_cut-rand:3]",),
    ),
    Defect(
        "a-break-in-another-branch-leaves",
        (
            Edit(
                "pencilc/poly/model/rounds.py", "    return other if one is None else", "    return other if True else"
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[rounds_cut-rand:3]",),
    ),
    Defect(
        "what-is-beside-a-break-is-always-done",
        (
            Edit(
                "pencilc/poly/model/rounds.py",
                "            self._add(item, (holds,))\n",
                "            self._add(item, where)\n",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[rounds_cut-rand:3]",),
    ),
    Defect(
        "conditions-are-asked-again-where-they-have-changed",
        (
            Edit(
                "pencilc/poly/model/rounds.py",
                "        return Name(symbol, INT, condition.span)",
                "        return condition",
            ),
        ),
        tests=("tests/unit/test_rounds.py",),
    ),
    Defect(
        "recorded-launches-have-the-points-of-the-launch-before",
        (
            Edit(
                "pencilc/codegen/recorded.py",
                "begins=number == 0",
                "begins=False",
            ),
        ),
        tests=("tests/unit/test_launched.py",),
    ),
    Defect(
        "loops-of-threads-go-to-the-host",
        (
            Edit(
                "pencilc/driver.py",
                "if has_idle_rounds(found) or deals_out_rounds(dealt_out):",
                "if has_idle_rounds(found):",
            ),
        ),
        tests=("tests/unit/test_rounds.py",),
    ),
    Defect(
        "marks-hold-across-a-break",
        (
            Edit(
                "pencilc/poly/extract.py",
                "            return True\n        for pairs in islx.maps_of(reduction.i2r):",
                "            return False\n        for pairs in islx.maps_of(reduction.i2r):",
            ),
        ),
        tests=("tests/unit/test_rounds.py", "tests/diff/test_programs.py::test_program[rounds_marked-rand:3]"),
    ),
    Defect(
        "an-element-that-is-set-is-every-one",
        (Edit("templates/runtime.cu.j2", "at == k ? value : of[k]", "value"),),
        tests=("tests/diff/test_programs.py::test_program[indices_of_operators-rand:3]",),
    ),
    Defect(
        "kernels-with-unlike-numbers-are-one",
        (Edit("pencilc/codegen/common_kernels.py", "            return kind, value\n", "            return kind\n"),),
        tests=("tests/unit/codegen/test_common_kernels.py",),
    ),
    Defect(
        "bounds-of-a-row-are-loaded-again-for-the-next",
        (Edit("templates/reduce/rows.cuh.j2", "@load_bounds(@mine + @stride);", "@load_bounds(@mine);"),),
        tests=("tests/diff/test_ragged.py::test_verify_several_rows_of_each_lane",),
    ),
    Defect(
        "bounds-are-loaded-behind-the-last-row",
        (
            Edit(
                "templates/reduce/rows.cuh.j2",
                "@mine < @rows ? @mine : @rows - 1;\n{% for line",
                "@mine;\n{% for line",
            ),
        ),
        tests=("tests/diff/test_ragged.py::test_verify_several_rows_of_each_lane",),
    ),
    Defect(
        "bounds-that-the-kernel-writes-are-loaded-ahead",
        (Edit("pencilc/codegen/row_bounds.py", "late = {*written, *(", "late = {*("),),
        tests=("tests/unit/codegen/test_kernels.py",),
    ),
    Defect(
        "an-access-counts-in-each-statement",
        (Edit("pencilc/analysis/lines.py", "key = _Key(access.array,", "key = _Key(statement.name + access.array,"),),
        tests=("tests/unit/test_thread_rows.py::test_the_same_access_counts_once",),
    ),
    Defect(
        "what-a-loop-reads-counts-once",
        (Edit("pencilc/analysis/lines.py", "return self.times * max(", "return 1 * max("),),
        tests=("tests/unit/test_thread_rows.py",),
    ),
    Defect(
        "given-sizes-do-not-weigh",
        (
            Edit(
                "pencilc/analysis/nominal.py",
                "        context = context if fixed.is_empty() else fixed",
                "        context = context if fixed.is_empty() else context",
            ),
        ),
        tests=("tests/unit/test_thread_rows.py::test_sizes_weigh",),
    ),
    Defect(
        "rows-are-walked-where-columns-lie-side-by-side",
        (
            Edit(
                "pencilc/gpu/shapes/shape.py",
                "        column = of_column < of_row or",
                "        column = of_column > of_row or",
            ),
        ),
        tests=("tests/unit/test_thread_rows.py::test_columns_that_lie_side_by_side_are_owned",),
    ),
    Defect(
        "rows-of-too-many-bytes-fit",
        (
            Edit(
                "pencilc/frontend/rewrite/private_arrays.py",
                "*_sides(variable.type), number(element_type(variable.type).size)])",
                "*_sides(variable.type), number(1)])",
            ),
        ),
        tests=("tests/unit/test_private_by_size.py",),
    ),
    Defect(
        "values-of-several-scalars-are-those-of-one",
        (
            Edit(
                "pencilc/frontend/rewrite/private_arrays.py",
                "    total = reduce(plus, wanted)",
                "    total = wanted[0]",
            ),
        ),
        tests=("tests/unit/test_scalars_by_size.py::test_scalars_of_one_loop_count_together",),
    ),
    Defect(
        "a-scalar-has-a-value-for-each-iteration-at-all-sizes",
        (
            Edit(
                "pencilc/frontend/rewrite/private_arrays.py",
                "    limited = (copies[e.scalar.name].name for e in wanted)",
                "    limited = (e.scalar.name for e in wanted)",
            ),
        ),
        tests=("tests/unit/test_scalars_by_size.py",),
    ),
    Defect(
        "a-limited-scalar-has-all-values",
        (
            Edit(
                "pencilc/schedule/solve.py",
                "(not limited or _have_room(problem, limited))",
                "(not limited or _have_room(problem, ()))",
            ),
        ),
        tests=("tests/unit/schedule/test_solve.py",),
    ),
    Defect(
        "values-of-a-step-on-the-host-are-those-of-all",
        (
            Edit(
                "pencilc/schedule/solve.py",
                "    return not problem.is_in_thread and unit(",
                "    return problem.is_in_thread and unit(",
            ),
        ),
        tests=("tests/unit/schedule/test_solve.py",),
    ),
    Defect(
        "what-a-thread-does-in-order-is-a-loop-of-the-host",
        (
            Edit(
                "pencilc/schedule/expanded.py",
                'if row.flag != "s"), len(rows))',
                "if row.flag not in 'Ps'), len(rows))",
            ),
        ),
        tests=("tests/unit/schedule/test_expanded.py",),
    ),
    Defect(
        "scalars-that-have-room-are-limited",
        (
            Edit(
                "pencilc/poly/expanded_scalars.py",
                "each.name not in settled and not _are_few(scop, each)]",
                "each.name not in settled]",
            ),
        ),
        tests=("tests/unit/test_scalars_by_size.py",),
    ),
    Defect(
        "rows-without-elements-are-stitched",
        (Edit("pencilc/gpu/fusion/stitch.py", "if not _has_elements(kept_points, points):", "if False:"),),
        tests=("tests/diff/test_programs.py::test_program[rows_without_elements-rand:3]",),
    ),
    Defect(
        "loops-below-zero-count-from-zero",
        (Edit("pencilc/codegen/instances.py", "if origin else value", "if not value else value"),),
        tests=("tests/diff/test_programs.py::test_program[from_below_zero-rand:3]",),
    ),
    Defect(
        "bounds-that-are-data-are-named-of-another-type",
        (Edit("pencilc/codegen/ragged.py", "self.affine.names.update({name: signed", "dict({name: signed"),),
        tests=("tests/unit/codegen/test_ragged.py",),
    ),
    Defect(
        "names-may-have-another-type-than-their-declaration",
        (Edit("pencilc/codegen/expression_rules.py", 'if declared is None or name.startswith("@"):', "if True:"),),
        tests=("tests/unit/codegen/test_kernel_verifier.py",),
    ),
    Defect(
        "constants-are-restricted-beside-what-is-read-back",
        (Edit("pencilc/codegen/parameters.py", "p.restrict and not p.is_const)", "p.restrict)"),),
        tests=("tests/unit/codegen/test_parameters.py", "tests/diff/test_read_only_loads.py"),
    ),
    Defect(
        "narrow-counters-do-not-wrap",
        (Edit("pencilc/codegen/cstmt.py", "and ctype.size < INT.size", "and ctype.size < 1"),),
        tests=("tests/unit/codegen/test_cstmt.py",),
    ),
    Defect(
        "slots-of-hot-bins-taken-without-compare-and-swap",
        (
            Edit(
                "templates/runtime.cu.j2",
                "if (found == 0) found = atomicCAS_block(&tags[slot], 0ull, tag);",
                "if (found == 0) tags[slot] = tag;",
            ),
        ),
        tests=("tests/diff/test_hot_bins.py::test_one_bin_has_nearly_all",),
    ),
    Defect(
        "slots-of-hot-bins-go-home-twice",
        (
            Edit(
                "templates/reduce/indirect.cuh.j2",
                "_totals[@slot];\n    {{ nodes(h.body) | trim | indent(4) }}",
                "_totals[@slot];\n    for (int twice = 0; twice < 2; twice++) {{ nodes(h.body) | trim | indent(4) }}",
            ),
        ),
        tests=("tests/diff/test_hot_bins.py::test_one_bin_has_nearly_all",),
    ),
    Defect(
        "slots-of-hot-bins-left-behind",
        (
            Edit(
                "templates/reduce/indirect.cuh.j2",
                "@slot += blockDim.x) {\n    {{ b.type }} *const @bin",
                "@slot += 2 * blockDim.x) {\n    {{ b.type }} *const @bin",
            ),
        ),
        tests=("tests/diff/test_hot_bins.py::test_one_bin_has_nearly_all",),
    ),
    Defect(
        "bins-without-a-slot-left-out",
        (
            Edit(
                "templates/reduce/indirect.cuh.j2",
                "else {{ nodes(p.away) | trim }}",
                "{% do nodes(p.away) %}",
            ),
        ),
        tests=("tests/diff/test_hot_bins.py::test_every_type[structs-apart]",),
    ),
    Defect(
        "slots-of-hot-bins-taken-for-those-of-others",
        (
            Edit(
                "templates/runtime.cu.j2",
                "if (found == 0 || found == tag) return slot;",
                "if (found == 0 || found >= tag) return slot;",
            ),
        ),
        tests=("tests/diff/test_hot_bins.py::test_every_type[structs-apart]",),
    ),
    Defect(
        "killed-arrays-copied-back",
        (
            Edit(
                "pencilc/gpu/storage/transfer.py",
                "comes_back = is_written and not (kills and _is_killed_later(scop, found, kills, domains))",
                "comes_back = is_written",
            ),
        ),
        tests=("tests/property/test_parallelism.py::test_killed_arrays_are_not_copied",),
    ),
    Defect(
        "killed-arrays-copied-in",
        (
            Edit(
                "pencilc/gpu/storage/transfer.py",
                "ended = islx.union_map(_killed(s, a) for s, a in kills)",
                "ended = islx.empty_map()",
            ),
        ),
        tests=("tests/property/test_parallelism.py::test_killed_arrays_are_not_copied",),
    ),
    Defect(
        "kills-under-conditions-on-data-are-certain",
        (
            Edit(
                "pencilc/poly/model/statements.py",
                "if nest.is_ragged or nest.guards or not known:",
                "if nest.is_ragged or not known:",
            ),
        ),
        tests=("tests/unit/gpu/storage/test_transfer.py",),
    ),
    Defect(
        "kills-of-what-data-chooses-kill-everything",
        (
            Edit(
                "pencilc/poly/model/arrays.py",
                "if access.exact or kind is not AccessKind.KILL]",
                "if access]",
            ),
        ),
        tests=("tests/unit/gpu/storage/test_transfer.py",),
    ),
    Defect(
        "parts-that-are-not-written-come-back",
        (
            Edit(
                "pencilc/gpu/storage/transfer.py",
                "copy_in = is_looked_at or not is_ended",
                "copy_in = is_looked_at",
            ),
        ),
        tests=("tests/unit/gpu/verifiers/test_copies.py",),
    ),
    Defect(
        "kills-of-a-part-of-an-argument-kill-all-of-it",
        (Edit("pencilc/frontend/rewrite/inline.py", "self._parts.add(param.name)", "pass"),),
        tests=("tests/diff/test_programs.py::test_program[killed_copies-rand:3]",),
    ),
    Defect(
        "all-is-taken-for-killed",
        (
            Edit(
                "pencilc/verify/killed.py",
                "if everywhere or first.data[place] != second.data[place]:",
                "if size:",
            ),
        ),
        tests=("tests/unit/test_verify_killed.py",),
    ),
    Defect(
        "clusters-end-while-others-read",
        (
            Edit(
                "templates/runtime.cu.j2",
                "    if (blocks > 1) {\n        __cluster_barrier_arrive();",
                "    if (blocks > 8) {\n        __cluster_barrier_arrive();",
            ),
        ),
        tests=("tests/diff/test_clusters.py::test_blocks_of_a_cluster_have_a_row[softmax]",),
    ),
    Defect(
        "blocks-of-a-cluster-show-too-early",
        (
            Edit(
                "templates/runtime.cu.j2",
                "        __cluster_barrier_arrive();\n        __cluster_barrier_wait();\n        // Each",
                "        __syncthreads();\n        // Each",
            ),
        ),
        tests=("tests/diff/test_clusters.py::test_blocks_of_a_cluster_have_a_row[softmax]",),
    ),
    Defect(
        "rows-of-clusters-dealt-out-to-blocks",
        (
            Edit(
                "templates/reduce/stitch.cuh.j2",
                "for (@index @row = blockIdx.x / @blocks;",
                "for (@index @row = blockIdx.x;",
            ),
        ),
        tests=("tests/diff/test_clusters.py::test_blocks_of_a_cluster_have_a_row[softmax]",),
    ),
    Defect(
        "a-cluster-shows-at-one-place",
        (
            Edit(
                "templates/reduce/stitch.cuh.j2",
                "@acc, @parts[@turn ^= 1].{{ e.part }}, @blocks)",
                "@acc, @parts[@turn].{{ e.part }}, @blocks)",
            ),
        ),
        tests=("tests/diff/test_clusters.py::test_blocks_of_a_cluster_have_a_row[softmax]",),
    ),
    Defect(
        "only-the-first-block-of-a-cluster-counts",
        (
            Edit(
                "templates/runtime.cu.j2",
                "value = other < blocks ?",
                "value = other < 1 ?",
            ),
        ),
        tests=("tests/diff/test_clusters.py::test_blocks_of_a_cluster_have_a_row[softmax]",),
    ),
    Defect(
        "clusters-without-the-code-for-them",
        (
            Edit(
                "templates/runtime.cu.j2",
                "function.ptxVersion >= 90 ? 8 : 1",
                "function.ptxVersion >= 70 ? 8 : 1",
            ),
        ),
        tests=(
            "tests/diff/test_clusters.py::test_what_is_compiled_for_older_devices_has_no_clusters_on_a_later_one[sm_75]",
        ),
    ),
    Defect(
        "clusters-larger-than-the-device",
        (
            Edit(
                "templates/runtime.cu.j2",
                "if (fit == 0) *blocks /= 2;",
                "fit = 1;",
            ),
        ),
        tests=("tests/diff/test_clusters.py::test_clusters_are_no_larger_than_the_device",),
    ),
    Defect(
        "runs-for-threads-of-which-some-come",
        (Edit("pencilc/codegen/kernel_walk.py", "if node.is_dealt and control.alone:", "if False:"),),
        tests=("tests/unit/codegen/test_kernel_walk.py",),
    ),
    Defect(
        "one-of-several-values-of-a-thread-is-combined",
        (Edit("pencilc/codegen/kernel_walk.py", "and node.has_sets and name not in control.folded:", "and False:"),),
        tests=("tests/unit/codegen/test_kernel_walk.py",),
    ),
    Defect(
        "names-that-another-function-has-declared",
        (
            Edit(
                "pencilc/codegen/column_walk.py",
                "loads=(), byte_sums=()), around, control)",
                "loads=(), byte_sums=()), within, control)",
            ),
        ),
        tests=("tests/unit/codegen/test_column_walk.py",),
    ),
    Defect(
        "types-of-loops-beside-each-other",
        (
            Edit(
                "pencilc/codegen/host.py",
                "names = (*self.depth, *map(depth_name, range(len(self.depth))), *own)",
                "names = (*self.depth, *map(depth_name, range(len(self.depth))))",
            ),
        ),
        tests=("tests/unit/codegen/test_host.py",),
    ),
    Defect(
        "one-place-for-iterations-in-order-alone",
        (
            Edit(
                "pencilc/gpu/verifiers/order.py",
                "if not wrong.is_empty() and self._is_used_one_behind_the_other(one.name, uses):",
                "if False:",
            ),
        ),
        tests=("tests/unit/gpu/verifiers/test_order.py",),
    ),
    Defect(
        "one-place-for-iterations-at-once",
        (Edit("pencilc/gpu/verifiers/order.py", "return len(found) == 1 and None not in found", "return True"),),
        tests=("tests/unit/gpu/verifiers/test_order.py",),
    ),
    Defect(
        "new-values-read-from-copies",
        (
            Edit(
                "pencilc/poly/old_values.py",
                "if not any(_is_handed_on(dependences, write, read) for read in reads for write in writes):",
                "if reads:",
            ),
            Edit(
                "pencilc/poly/old_values.py",
                "if model.flow(islx.union_map(map(_touched, reads)), model.all_must, model.all_may).is_empty():",
                "if reads:",
            ),
        ),
        tests=("tests/unit/test_old_values.py",),
    ),
    Defect(
        "copies-beside-the-array",
        (
            Edit(
                "pencilc/poly/old_values.py",
                "if made is not None and not _copies_what_is_there(made[1]):",
                "if made is None:",
            ),
        ),
        tests=("tests/unit/test_old_values.py",),
    ),
    Defect(
        "copies-for-nothing",
        (
            Edit(
                "pencilc/driver.py",
                "if waiting(other, settings).is_less_than(waits, gone):",
                "if other is not found:",
            ),
        ),
        tests=("tests/unit/test_old_values.py",),
    ),
    Defect(
        "old-values-from-their-first-place-alone",
        (
            Edit(
                "pencilc/frontend/rewrite/old_values.py",
                "if isinstance(node, Index) and node.span in reads and _array_of(node) == array.name:",
                "if isinstance(node, Index) and node.span == min(reads) and _array_of(node) == array.name:",
            ),
        ),
        tests=("tests/unit/test_old_values.py",),
    ),
    Defect(
        "copies-read-behind-writes",
        (
            Edit(
                "pencilc/ir/scop_verifier.py",
                "if any(not _come_before(scop, read, each) for each in written):",
                "if False:",
            ),
        ),
        tests=("tests/unit/test_old_values.py",),
    ),
    Defect(
        "rows-of-shared-loops-by-instances",
        (
            Edit(
                "pencilc/schedule/pluto.py",
                "return row[islx.out_name(whole)].pullback_multi_aff(outer)",
                "return row[islx.out_name(whole)].pullback_multi_aff(outer).intersect_domain(whole.domain())",
            ),
        ),
        tests=("tests/unit/schedule/test_pluto.py",),
    ),
    Defect(
        "values-of-iterations-without-room",
        (
            Edit(
                "pencilc/schedule/solve.py",
                "if (problem.is_in_thread and in_order) or len(parts) == 1 or not _have_room(problem, values):",
                "if (problem.is_in_thread and in_order) or len(parts) == 1:",
            ),
        ),
        tests=("tests/unit/schedule/test_solve.py",),
    ),
    Defect(
        "values-of-iterations-for-few-steps-less",
        (
            Edit(
                "pencilc/schedule/solve.py",
                "* LAUNCH <= chain(known[group], domains)",
                "<= chain(known[group], domains)",
            ),
        ),
        tests=("tests/unit/schedule/test_solve.py",),
    ),
    Defect(
        "torn-scalars-in-registers",
        (
            Edit(
                "pencilc/gpu/storage/placement.py",
                "if not _is_repeated(scop, array, touching) or _is_torn(array, touching):",
                "if not _is_repeated(scop, array, touching):",
            ),
        ),
        tests=("tests/unit/gpu/storage/test_placement.py",),
    ),
    Defect(
        "scalars-of-the-next-iteration-in-registers",
        (
            Edit(
                "pencilc/islx.py",
                "return (*map(str, vector[:depth]), *params, str(aff.get_constant_val()))",
                "return (*map(str, vector[:depth]), *params)",
            ),
        ),
        tests=("tests/unit/gpu/storage/test_placement.py",),
    ),
    Defect(
        "names-for-values-that-change",
        (
            Edit(
                "pencilc/frontend/rewrite/named_values.py",
                "if any(read & written_names(item) for item in rest[: users[-1]]):",
                "if any(read & written_names(item) for item in rest[users[-1] + 1 :]):",
            ),
        ),
        tests=("tests/unit/test_named_values.py",),
    ),
    Defect(
        "names-for-values-of-loops",
        (
            Edit(
                "pencilc/frontend/rewrite/named_values.py",
                "if any(isinstance(node, For | While) for number in users for node in walk(rest[number])):",
                "if any(isinstance(node, While) for number in users for node in walk(rest[number])):",
            ),
        ),
        tests=("tests/unit/test_named_values.py",),
    ),
    Defect(
        "changed-values-in-the-place-of-names",
        (
            Edit(
                "pencilc/ir/scop_verifier.py",
                "if not between.is_disjoint(setting.apply_range(read.reverse())):",
                "if between.is_disjoint(between):",
            ),
        ),
        tests=("tests/unit/test_named_values.py",),
    ),
    Defect(
        "statements-that-are-gone-wait-less",
        (
            Edit(
                "pencilc/gpu/waiting.py",
                "self.in_one_thread + gone < other.in_one_thread",
                "self.in_one_thread < other.in_one_thread",
            ),
        ),
        tests=("tests/unit/gpu/test_waiting.py",),
    ),
    Defect(
        "squares-away-from-the-origin-alone",
        (Edit("templates/runtime.cu.j2", "const T away = shift - origin;", "const T away = 0;"),),
        tests=("tests/diff/test_programs.py::test_program[shifted_rows-rand:3]",),
    ),
    Defect(
        "neighbours-that-nobody-reads-loaded",
        (Edit("pencilc/gpu/shapes/shape.py", "if len(numbers) == vectors[0].count:", "if numbers:"),),
        tests=("tests/diff/test_programs.py::test_program[few_columns-rand:3]",),
    ),
    Defect(
        "first-of-neighbours-for-all",
        (Edit("pencilc/codegen/instances.py", "Index(of, number(among.place), kind", "Index(of, number(0), kind"),),
        tests=("tests/diff/test_programs.py::test_program[few_columns-rand:3]",),
    ),
    Defect(
        "uses-among-points-written-out",
        (
            Edit(
                "pencilc/poly/reductions/mixed_accumulators.py",
                "if mentions_any(item, *arrays) and all(id(loop) in short for loop in loops):",
                "if mentions_any(item, *arrays):",
            ),
        ),
        tests=("tests/unit/test_poly_reductions.py",),
    ),
    Defect(
        "ragged-rows-compared-with-columns-that-are-none",
        (
            Edit(
                "pencilc/gpu/shapes/shape.py",
                "found.is_decided and of_column < of_row, None",
                "of_column < of_row, None",
            ),
        ),
        tests=("tests/unit/gpu/shapes/test_shape.py",),
    ),
    Defect(
        "conversions-inside-of-elements-lost",
        (Edit("pencilc/poly/reductions/operators.py", _OUTER, _OUTER.replace("return expr", "return bare(expr)")),),
        tests=("tests/diff/test_programs.py::test_program[conversions_inside-rand:3]",),
    ),
    Defect(
        "comparisons-of-nan-the-other-way",
        (
            Edit(
                "pencilc/poly/reductions/updates.py",
                'reordered = "" if ctype.is_integer or keeps else _NO_NUMBERS',
                'reordered = ""',
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[not_numbers_in_data-rand:3]",),
    ),
    Defect(
        "tiles-at-the-border-are-whole",
        (
            Edit(
                "pencilc/codegen/tiling.py",
                "        asked += [self._beside_box(each.read) for each in shared.operands if each.read is not None]\n",
                "        asked = []\n",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[padded-rand:3]",),
    ),
    Defect(
        "stages-are-whole-for-some-statements",
        (Edit("pencilc/codegen/tiling.py", "asked += map(self._beside_box, shared.conditional)", "pass"),),
        tests=("tests/diff/test_programs.py::test_program[padded-rand:3]",),
    ),
    Defect(
        "elements-beyond-the-end-of-their-array",
        (
            Edit(
                "pencilc/gpu/shapes/shape.py",
                "places.domain().subtract(places.subtract_range(extent).domain())",
                "places.domain()",
            ),
        ),
        tests=("tests/unit/gpu/shapes/test_tiling.py",),
    ),
    Defect(
        "loops-in-order-are-walked-inside-out",
        (Edit("pencilc/gpu/shapes/tiling.py", "rows = (*rows, *tree.rows)", "rows = (*tree.rows, *rows)"),),
        tests=("tests/diff/test_programs.py::test_program[padded-rand:3]",),
    ),
    Defect(
        "long-bands-are-walked-as-boxes",
        (Edit("pencilc/gpu/shapes/shape.py", "count.is_int() and count.to_python() < FEW", "True"),),
        tests=("tests/unit/gpu/shapes/test_tiling.py",),
    ),
    Defect(
        "places-keep-their-names-and-lose-their-time",
        (
            Edit(
                "pencilc/frontend/rewrite/places.py", "name in changed or names_in(value) & changed", "name in changed"
            ),
        ),
        tests=("tests/unit/test_places_for_names.py",),
    ),
    Defect(
        "places-are-what-they-become",
        (Edit("pencilc/frontend/rewrite/places.py", "name in changed or names_in", "names_in"),),
        tests=("tests/unit/test_places_for_names.py",),
    ),
    Defect(
        "what-goes-to-and-fro-is-known-behind-its-loop",
        (
            Edit(
                "pencilc/frontend/rewrite/toggles.py",
                "for name in set().union(*map(written_names, made)):",
                "for name in set[str]():",
            ),
        ),
        tests=("tests/unit/test_toggles.py",),
    ),
    Defect(
        "what-goes-to-and-fro-is-the-same-behind-its-toggle",
        (Edit("pencilc/frontend/rewrite/toggles.py", "position >= each.end)", "position < each.first)"),),
        tests=("tests/unit/test_toggles.py",),
    ),
    Defect(
        "a-loop-that-is-left-goes-to-and-fro-as-often",
        (Edit("pencilc/frontend/rewrite/toggles.py", "if has_own_jump(body) or any", "if any"),),
        tests=("tests/unit/test_toggles.py",),
    ),
    Defect(
        "tiles-hold-what-the-kernel-writes",
        (
            Edit(
                "pencilc/gpu/shapes/halo.py",
                "if not fetched.intersect(written).is_empty():",
                "if False:",
            ),
        ),
        tests=("tests/unit/gpu/shapes/test_halo.py",),
    ),
    Defect(
        "pairs-that-are-left-out-begin-with-a-quotient",
        (
            Edit(
                "pencilc/gpu/shapes/tiling.py",
                "if not has_loops or not begins_anywhere(shaper.scop, found):",
                "if not has_loops:",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[nearest_others-rand:3]",),
    ),
    Defect(
        "rows-without-pairs-have-no-result",
        (
            Edit(
                "pencilc/gpu/shapes/tiling.py",
                "    if not within(results, found.kept_box[:-1]).intersect_params(launched).is_equal("
                "results.intersect_params(launched)):\n        return None\n",
                "",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[nearest_others-rand:3]",),
    ),
    Defect(
        "minima-of-values-that-are-converted-back",
        (
            Edit(
                "pencilc/poly/reductions/updates.py",
                "if ctype.is_integer and value.type != ctype and not keeps_values(element.type, ctype):",
                "if False:",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[conversions_back-rand:3]",),
    ),
    Defect(
        "counters-that-begin-with-data-do-not-wrap",
        (Edit("pencilc/poly/model/ragged.py", "    check_last_step(loop, inner, bound)\n", ""),),
        tests=("tests/diff/test_programs.py::test_program[conversions_back-rand:3]",),
    ),
    Defect(
        "port-takes-the-questions-of-helpers",
        (Edit("pencilc/port/guards.py", "(asks and not is_helper)", "asks"),),
        tests=("tests/unit/port/test_passes.py",),
    ),
    Defect(
        "port-takes-lengths-for-positions",
        (
            Edit(
                "pencilc/port/parameters.py",
                'if is_element and kind(self._inlined(_begin(loop, cond.left.name))) != "Constant":',
                "if is_element:",
            ),
        ),
        tests=("tests/unit/port/test_passes.py",),
    ),
    Defect(
        "port-leaves-out-an-only-row",
        (Edit("pencilc/port/parameters.py", 'asked = extent if last == f"{extent} - 1" else last', "asked = last"),),
        tests=("tests/unit/port/test_passes.py",),
    ),
    Defect(
        "port-takes-half-of-a-pitch-for-rows",
        (Edit("pencilc/port/extents.py", "if not is_sure and not is_row:", "if False:"),),
        tests=("tests/unit/port/test_extents.py",),
    ),
    Defect(
        "loops-without-braces-are-not-looked-at",
        (Edit("pencilc/frontend/regions/autodetect.py", "        _put_into_blocks(function.body)\n", ""),),
        tests=("tests/unit/test_likely_reductions.py",),
    ),
    Defect(
        "a-while-around-loops-of-one-thread-stays-a-region",
        (Edit("pencilc/driver.py", "if found and name not in done.options.whiles_on_host:", "if False:"),),
        tests=("tests/unit/test_left.py",),
    ),
    Defect(
        "a-while-is-left-to-the-host-with-the-loops-in-it",
        (Edit("pencilc/driver.py", "return tuple(sorted(found.intersection(detected)))", "return ()"),),
        tests=("tests/unit/test_left.py",),
    ),
    Defect(
        "port-writes-clauses-that-nothing-comes-of",
        (
            Edit(
                "pencilc/port/function.py",
                "is_used = judged.kernels != first.kernels or judged.badness != first.badness",
                "is_used = True",
            ),
        ),
        tests=("tests/unit/port/test_command.py",),
    ),
    Defect(
        "a-step-behind-its-value-comes-before-it",
        (
            Edit(
                "pencilc/frontend/translate/effects.py",
                'return type(effect).__name__ == "UnaryOp" and bool(effect.op.startswith("p"))',
                "return False",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[effects-rand:3]",),
    ),
    Defect(
        "an-effect-that-is-passed-over-happens",
        (
            Edit(
                "pencilc/frontend/translate/effects.py",
                'elif type(node).__name__ == "BinaryOp" and node.op in ("&&", "||"):',
                "elif False:",
            ),
        ),
        tests=("tests/errors/test_newcomer.py",),
    ),
    Defect(
        "what-an-effect-changes-may-stand-beside-it",
        (
            Edit(
                "pencilc/frontend/translate/effects.py",
                "if name is None or _stands_outside(node, effect, {name}) or _is_elsewhere_then(node, effect):",
                "if name is None:",
            ),
        ),
        tests=("tests/errors/test_errors.py",),
    ),
    Defect(
        "parts-of-a-condition-are-asked-for-from-behind",
        (
            Edit(
                "pencilc/frontend/translate/effects.py",
                "        yield from _conjuncts(node.left)\n        yield from _conjuncts(node.right)\n",
                "        yield from _conjuncts(node.right)\n        yield from _conjuncts(node.left)\n",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[effects-rand:3]",),
    ),
    Defect(
        "arrays-that-are-written-are-tables",
        (
            Edit(
                "pencilc/frontend/rewrite/tables.py",
                "is_read_only = each.symbol.is_const or each.symbol.name not in written | whole",
                "is_read_only = True",
            ),
        ),
        tests=("tests/unit/test_tables.py",),
    ),
    Defect(
        "arrays-that-a-helper-may-write-are-tables",
        (Edit("pencilc/frontend/rewrite/tables.py", "not in written | whole", "not in written"),),
        tests=("tests/unit/test_tables.py",),
    ),
    Defect(
        "steps-back-in-tables-are-steps-forward",
        (
            Edit(
                "pencilc/poly/model/constant_tables.py",
                'op = node.op if by > 0 else "-" if node.op == "+" else "+"',
                "op = node.op",
            ),
        ),
        tests=(
            "tests/unit/test_table_places.py",
            "tests/diff/test_programs.py::test_program[neighbours_in_tables-rand:3]",
        ),
    ),
    Defect(
        "loops-around-long-ones-are-written-out-for-tables",
        (
            Edit(
                "pencilc/poly/table_places.py",
                "if isinstance(node, For) and all(id(each) in short for each in _loops(node)):",
                "if isinstance(node, For) and id(node) in short:",
            ),
        ),
        tests=("tests/unit/test_table_places.py",),
    ),
    Defect(
        "sums-in-any-order-promise-independent-iterations",
        (
            Edit(
                "pencilc/frontend/translate/statements.py",
                "replace(s, independent=is_independent,",
                "replace(s, independent=True,",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[order_of_sums-rand:3]",),
    ),
    Defect(
        "interleaved-elements-have-the-sides-of-others",
        (
            Edit(
                "pencilc/codegen/lowering.py",
                "numbers, sizes = [*numbers[own:], *numbers[:own]], [*sizes[own:], *sizes[:own]]",
                "numbers = [*numbers[own:], *numbers[:own]]",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[scratch_of_threads-rand:3]",),
    ),
    Defect(
        "values-that-are-overwritten-are-found-again",
        (
            Edit("pencilc/driver.py", "            verify_values_for_names(scop, made[1])\n", ""),
            Edit(
                "pencilc/frontend/rewrite/named_values.py",
                "    if any(read & written_names(item) for item in rest[: users[-1]]):\n        return False\n"
                "    return not read & written_names(rest[users[-1]]) or _reads_first(rest[users[-1]])\n",
                "    return True\n",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[rows_and_columns-rand:3]", "tests/unit/test_named_values.py"),
    ),
    Defect(
        "a-quotient-leaves-nothing-over",
        (
            Edit(
                "pencilc/poly/model/sizes_apart.py",
                "if (whole.name, by.name) in whole_parts and not may_wrap(quotient.type):",
                "if not may_wrap(quotient.type):",
            ),
        ),
        tests=("tests/unit/test_sizes_apart.py",),
    ),
    Defect(
        "what-one-side-of-or-promises-holds",
        (Edit("pencilc/poly/model/sizes_apart.py", 'condition.op == "&&"', 'condition.op in ("&&", "||")'),),
        tests=("tests/unit/test_sizes_apart.py",),
    ),
    Defect(
        "quotients-of-sizes-have-no-sign",
        (
            Edit(
                "pencilc/poly/model/flat_arrays.py",
                "    sizes = [size for factor in factors for size in sizes_divided(factor)]\n",
                "    sizes = [factor for factor in factors if len(sizes_divided(factor)) == 1]\n",
            ),
        ),
        tests=("tests/unit/test_sizes_apart.py",),
    ),
    Defect(
        "remainders-go-round-no-more-than-once",
        (
            Edit(
                "pencilc/poly/model/remainders.py",
                'if not holds(left, right.scale_val(isl.Val(2)), "ge_set", context):\n        return None',
                "if False:\n        return None",
            ),
        ),
        tests=("tests/unit/test_remainders.py", "tests/diff/test_programs.py::test_program[periodic-rand:3]"),
    ),
    Defect(
        "what-goes-round-is-the-first-one",
        (
            Edit(
                "pencilc/poly/model/remainders.py", 'is_last = holds(left, right, "gt_set", context)', "is_last = True"
            ),
        ),
        tests=("tests/unit/test_remainders.py", "tests/diff/test_programs.py::test_program[periodic-rand:3]"),
    ),
    Defect(
        "statements-of-the-model-are-none-of-the-region",
        (Edit("pencilc/poly/extract.py", "    if extractor.plainer:\n", "    if False:\n"),),
        tests=("tests/diff/test_programs.py::test_program[periodic-rand:3]",),
    ),
    Defect(
        "places-that-a-loop-changes-are-found-again",
        (
            Edit(
                "pencilc/frontend/rewrite/places_inside.py",
                "if name in changed or names_in(value) & changed:",
                "if False:",
            ),
        ),
        tests=("tests/unit/test_places_inside.py",),
    ),
    Defect(
        "pairs-without-a-loop-are-folded-with-one",
        (Edit("pencilc/gpu/shapes/tiling.py", "if not has_loops or not", "if not"),),
        tests=("tests/diff/test_programs.py::test_program[nearest_others-rand:3]",),
    ),
    Defect(
        "skipped-iterations-taken-for-done",
        (Edit("pencilc/poly/dependences/flow.py", "found[statement.name] = tuple(", "found[''] = tuple("),),
        tests=("tests/unit/test_factor_loops.py",),
    ),
    Defect(
        "the-same-iteration-in-another-step-of-time",
        (
            Edit(
                "pencilc/poly/dependences/flow.py",
                "        number = number.project_out(isl.dim_type.out, depth, number.dim(isl.dim_type.out) - depth)\n",
                "        number = number.project_out(isl.dim_type.out, depth, number.dim(isl.dim_type.out) - depth)\n"
                "        number = number.set_dim_id(isl.dim_type.out, 0, isl.Id('z')).fix_val(isl.dim_type.out, 0, 0)"
                " if depth > 1 else number\n",
            ),
        ),
        tests=("tests/unit/test_factor_loops.py",),
    ),
    Defect(
        "a-half-rounded-up-of-one",
        (
            Edit(
                "pencilc/poly/model/factor_loops.py",
                "counter) if least > 1 else None",
                "counter) if least > 0 else None",
            ),
        ),
        tests=("tests/unit/test_factor_loops.py",),
    ),
    Defect(
        "what-a-loop-leaves-in-its-counter",
        (
            Edit(
                "pencilc/poly/model/factor_loops.py",
                "    return any(not _is_reset(item, counter)",
                "    return False and any(not _is_reset(item, counter)",
            ),
        ),
        tests=("tests/unit/test_factor_loops.py",),
    ),
    Defect(
        "late-lanes-count-before-the-first",
        (
            Edit(
                "pencilc/verify/cudacpu/runtime/requests.cpp",
                "  next = std::max(next, place.first);\n",
                "",
            ),
        ),
        tests=("tests/diff/test_requests.py::test_lanes_of_a_warp_that_have_rows_of_their_own_are_counted",),
    ),
    Defect(
        "elements-loaded-before-the-row-sets-them",
        (
            Edit(
                "pencilc/codegen/rows_together.py",
                "isinstance(part.base, Name) and _array(part) not in written:",
                "isinstance(part.base, Name):",
            ),
        ),
        tests=("tests/diff/test_block_rows.py::test_what_several_rows_load_is_there_before_the_first_is_done",),
    ),
    Defect(
        "elements-loaded-that-are-not-asked-for",
        (
            Edit(
                "pencilc/codegen/rows_together.py",
                "                pending.append(each.condition)\n",
                "                pending += [each.condition, each.then, each.otherwise]\n",
            ),
        ),
        tests=("tests/diff/test_block_rows.py::test_what_several_rows_load_is_there_before_the_first_is_done",),
    ),
    Defect(
        "differences-the-other-way-round-have-one-sign",
        (
            Edit(
                "pencilc/frontend/rewrite/symmetric.py",
                "return -1 if crossed == (1, 1) else 0",
                "return 1 if crossed == (1, 1) else 0",
            ),
        ),
        tests=("tests/unit/test_symmetric.py",),
    ),
    Defect(
        "what-was-in-a-square-before-counts-as-symmetric",
        (
            Edit(
                "pencilc/frontend/rewrite/symmetric.py",
                "if not all(_is_set_first(square.body.items, name, own) for name in (array.symbol.name, *scalars)):\n",
                "if False:\n",
            ),
        ),
        tests=("tests/unit/test_symmetric.py",),
    ),
    Defect(
        "a-loop-with-no-iterations-at-some-points-sets-a-counter",
        (
            Edit(
                "pencilc/frontend/rewrite/symmetric.py",
                "return is_alike and _is_set_first(as_block(body).items, name, own)",
                "return _is_set_first(as_block(body).items, name, own)",
            ),
        ),
        tests=("tests/unit/test_symmetric.py",),
    ),
    Defect(
        "a-negative-number-beside-an-unsigned-bound",
        (Edit("pencilc/frontend/rewrite/symmetric.py", "if low is None or low < 0 or own", "if low is None or own"),),
        tests=("tests/unit/test_symmetric.py",),
    ),
    Defect(
        "what-other-kernels-leave-for-each-point-is-read-anywhere",
        (
            Edit(
                "pencilc/gpu/shapes/seen.py",
                "            case Name(symbol=symbol) if is_left_by_others(scop, symbol.name, own):\n"
                "                return False\n",
                "",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[values_of_points-rand:3]",),
    ),
    Defect(
        "planes-that-are-made-are-handed-on",
        (Edit("pencilc/gpu/time_tiles.py", 'return "made" if self', 'return "handed on" if self'),),
        tests=("tests/unit/gpu/test_time_tiles.py",),
    ),
    Defect(
        "planes-in-turns-are-those-of-the-first-iteration",
        (Edit("pencilc/codegen/time_tiles.py", "(_NEXT_PLANE, variable(STEPS, INT))", "(_NEXT_PLANE, number(0))"),),
        tests=("tests/diff/test_time_tiles.py::test_planes_in_turns",),
    ),
    Defect(
        "what-blocks-fetch-of-planes-is-not-copied",
        (
            Edit(
                "pencilc/gpu/storage/transfer.py",
                'if array.in_turns or role != "unused":',
                'if not array.in_turns and role != "unused":',
            ),
        ),
        tests=("tests/diff/test_time_tiles.py::test_planes_in_turns",),
    ),
    Defect(
        "chunks-of-a-tile-are-a-grid-apart",
        (
            Edit(
                "templates/reduce/segment.cuh.j2",
                "{% if s.block %}{{ s.apart }}{% else %}@step{% endif %}",
                "@step",
            ),
        ),
        tests=("tests/diff/test_split_rows.py",),
    ),
    Defect(
        "lanes-have-tiles-as-blocks-have",
        (
            Edit(
                "pencilc/codegen/kernels.py",
                'is_grid = self.share is Share.GRID and shape in ("all", "row_blocks")',
                "is_grid = self.share is Share.GRID",
            ),
        ),
        tests=("tests/diff/test_split_rows.py",),
    ),
    Defect(
        "as-many-chunks-left-over-as-without-tiles",
        (
            Edit(
                "pencilc/ir/segments.py",
                "return self.in_flight if self.block else self.in_flight - 1",
                "return self.in_flight - 1",
            ),
        ),
        tests=("tests/diff/test_split_rows.py",),
    ),
    Defect(
        "split-rows-beyond-those-at-once-are-left-out",
        (
            Edit(
                "pencilc/codegen/launch_reductions.py",
                'return blocks_for(count, 1, binary("/", _blocks_of_all_split(launch), splits))',
                'return blocks_for(count, 2, binary("/", _blocks_of_all_split(launch), splits))',
            ),
        ),
        tests=("tests/diff/test_split_rows.py",),
    ),
    Defect(
        "what-may-overflow-is-evaluated-in-any-case",
        (
            Edit(
                "pencilc/codegen/selects.py",
                'return is_floating(expr.type) or (isinstance(expr.type, Scalar) and expr.type.kind == "uint")',
                "return True",
            ),
        ),
        tests=("tests/unit/codegen/test_selects.py::test_what_may_fail_stays_on_its_condition",),
    ),
    Defect(
        "pointers-are-followed-in-any-case",
        (Edit("pencilc/codegen/selects.py", "return pointer.symbol.name in pointers", "return True"),),
        tests=("tests/unit/codegen/test_selects.py::test_pointers_are_followed_where_c_does",),
    ),
    Defect(
        "what-is-asked-later-counts-from-the-start",
        (
            Edit(
                "pencilc/codegen/selects.py",
                "return _also(negation(condition), otherwise)",
                "return _also(condition, otherwise)",
            ),
        ),
        tests=("tests/diff/test_choices.py::test_every_form_is_right",),
    ),
    Defect(
        "of-versions-none-comes-behind",
        (Edit("pencilc/poly/dependences/turns.py", "if _number(piece) <= number:", "if _number(piece) < number:"),),
        tests=("tests/unit/test_turns.py::test_the_same_dependences",),
    ),
    Defect(
        "all-iterations-are-taken-for-alike",
        (
            Edit(
                "pencilc/poly/dependences/turns.py",
                "return iterations if points.is_equal(always) else None",
                "return iterations",
            ),
        ),
        tests=("tests/unit/test_turns.py::test_what_has_no_versions",),
    ),
    Defect(
        "each-border-is-one-of-all-tiles",
        (Edit("pencilc/gpu/time_tiles.py", "return bool(one.ne_set(other).is_empty())", "return True"),),
        tests=("tests/unit/gpu/test_time_tiles.py",),
    ),
    Defect(
        "nothing-is-read-inwards",
        (
            Edit(
                "pencilc/ir/time_tiles.py",
                "for step in self.steps[number + 1 :]), inward]",
                "for step in self.steps[number + 1 :])]",
            ),
        ),
        tests=("tests/unit/gpu/test_time_tiles.py", "tests/unit/gpu/verifiers/test_time.py"),
    ),
    Defect(
        "tiles-of-any-number-of-rows",
        (
            Edit(
                "pencilc/gpu/shapes/time_sizes.py",
                "own = upper.sub(lower).ge_set(islx.constant(upper.domain(), side - 1)).params()",
                "own = upper.sub(lower).ge_set(islx.constant(upper.domain(), 0)).params()",
            ),
        ),
        tests=("tests/diff/test_time_tiles.py::test_edges_on_all_sides", "tests/unit/gpu/verifiers/test_time.py"),
    ),
    Defect(
        "the-last-round-is-whole",
        (
            Edit(
                "pencilc/codegen/time_tiles.py",
                "condition = self._is_launched(kernel, step.turn)",
                "condition = None",
            ),
        ),
        tests=("tests/diff/test_time_tiles.py::test_steps_that_take_turns",),
    ),
    Defect(
        "each-step-of-a-round-is-its-first",
        (
            Edit(
                "pencilc/codegen/time_tiles.py",
                'step = plus(times(variable("@step", INT), number(self.tiling.period)), number(turn))',
                'step = times(variable("@step", INT), number(self.tiling.period))',
            ),
        ),
        tests=("tests/diff/test_time_tiles.py::test_steps_that_take_turns",),
    ),
    Defect(
        "rounds-follow-each-other-as-iterations-do",
        (Edit("pencilc/codegen/launch_loops.py", "scaled(_STEPS, time.period)", "_STEPS"),),
        tests=("tests/diff/test_time_tiles.py::test_steps_that_take_turns",),
    ),
    Defect(
        "what-some-iterations-do-is-a-turn",
        (Edit("pencilc/gpu/time_tiles.py", 'raise _Refused("its kernels do not take turns")', "return 0"),),
        tests=("tests/unit/gpu/test_time_tiles.py",),
    ),
    Defect(
        "points-that-wait-for-each-other-have-scalars-of-their-own",
        (Edit("pencilc/poly/expanded_scalars.py", 'if any(row.flag != "P" for row in rows[:sides])', "if False"),),
        tests=("tests/unit/test_scalars_by_size.py",),
    ),
    Defect(
        "what-a-condition-decides-is-read-where-it-does-not-hold",
        (
            Edit(
                "pencilc/poly/model/decided.py",
                "truth if each.holds else truth.complement()",
                "truth.complement() if each.holds else truth",
            ),
        ),
        tests=("tests/unit/test_decided.py",),
    ),
    Defect(
        "conditions-hold-as-they-did-before-the-statement",
        (Edit("pencilc/poly/model/decided.py", "or names_in(part) & changed", ""),),
        tests=("tests/unit/test_decided.py",),
    ),
    Defect(
        "what-may-not-happen-keeps-rows-together",
        (
            Edit("pencilc/poly/model/flat_arrays.py", "is_read or statement.certainly_writes(access)", "True"),
            Edit("pencilc/poly/model/flat_arrays.py", "if statement.guards or statement.is_ragged or", "if"),
        ),
        tests=("tests/unit/test_flat_arrays.py",),
    ),
    Defect(
        "an-element-of-a-row-before-is-outside-of-the-array",
        (Edit("pencilc/poly/model/flat_arrays.py", "before.intersect(here.le_set(nothing))", "before"),),
        tests=("tests/unit/test_flat_arrays.py",),
    ),
    Defect(
        "a-function-called-max-is-one",
        (Edit("pencilc/frontend/rewrite/windows.py", "if function is None:", "if call.function in _CLAMPS:"),),
        tests=("tests/unit/test_windows.py",),
    ),
    Defect(
        "what-a-window-counts-from-its-corner-stays",
        (Edit("pencilc/frontend/rewrite/windows.py", 'node.op == "-" and is_of(node.left, counter)', "False"),),
        tests=("tests/unit/test_windows.py",),
    ),
    Defect(
        "bands-are-boxes",
        (Edit("pencilc/gpu/shapes/shape.py", "and bool(wide.is_subset(whole.params()))", ""),),
        tests=("tests/unit/gpu/shapes/test_tiling.py",),
    ),
    Defect(
        "iterations-with-an-end-elsewhere-are-corners",
        (
            Edit(
                "pencilc/poly/dependences/index_sets.py",
                "if all(_without(each, chosen, depth).is_empty()",
                "if all(True",
            ),
        ),
        tests=("tests/unit/test_index_sets.py",),
    ),
    Defect(
        "loops-that-one-for-each-statement-would-do-are-split",
        (
            Edit(
                "pencilc/poly/dependences/index_sets.py",
                "{other for other in behind if name in reached.get(other, ())}",
                "{name, *behind}",
            ),
        ),
        tests=("tests/unit/test_index_sets.py",),
    ),
    Defect(
        "what-a-condition-keeps-from-a-register-is-elsewhere",
        (
            Edit(
                "pencilc/gpu/verifiers/order.py",
                "meeting.intersect_domain(relations[0].domain()).intersect_range(relations[1].domain())",
                "meeting",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[guarded_reads-rand:3]",),
    ),
    Defect(
        "rounds-leave-their-row",
        (
            Edit(
                "pencilc/gpu/fusion/families.py",
                "or not pair.is_subset(values[source].eq_map(values[sink]))",
                "or False",
            ),
        ),
        tests=("tests/unit/gpu/fusion/test_families.py",),
    ),
    Defect(
        "rounds-of-a-row-do-not-wait",
        (
            Edit(
                "pencilc/codegen/compose.py",
                'return (*_calls(self.functions[stage.name], values), Sync("block"))',
                "return (*_calls(self.functions[stage.name], values),)",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[rounds_of_rows-rand:3]",),
    ),
    Defect(
        "what-rounds-change-is-not-fetched",
        (Edit("pencilc/codegen/compose.py", "if shared.fetched is not None:", "if False:"),),
        tests=("tests/diff/test_programs.py::test_program[rounds_of_rows-rand:3]",),
    ),
    Defect(
        "what-rounds-change-is-not-stored",
        (Edit("pencilc/codegen/compose.py", "if shared.left_behind is not None]", "if False]"),),
        tests=("tests/diff/test_programs.py::test_program[rounds_of_rows-rand:3]",),
    ),
    Defect(
        "what-is-perhaps-written-goes-back-unread",
        (
            Edit(
                "pencilc/gpu/fusion/shared_promotion.py",
                "needed = written.subtract(certain).coalesce()",
                "needed = written.subtract(written)",
            ),
        ),
        tests=("tests/unit/gpu/fusion/test_shared_promotion.py",),
    ),
    Defect(
        "what-a-later-round-makes-was-made-before",
        (
            Edit(
                "pencilc/gpu/fusion/shared_promotion.py",
                "found = self._at(writer.statement, writer.access, inside[:shared])",
                "found, shared = self._at(writer.statement, writer.access, ()), 0",
            ),
        ),
        tests=("tests/unit/gpu/fusion/test_shared_promotion.py",),
    ),
    Defect(
        "what-a-loop-uses-gives-way-inside-of-it",
        (Edit("pencilc/gpu/fusion/shared_promotion.py", "for k in self._whole_loop(u.stage)]", "for k in [u.stage]]"),),
        tests=("tests/unit/gpu/fusion/test_compose.py",),
    ),
    Defect(
        "what-another-row-writes-is-put-back",
        (
            Edit(
                "pencilc/gpu/fusion/shared_promotion.py",
                "if not reduce(isl.Map.union, (use.relation for use in writers)).is_injective():",
                "if False:",
            ),
        ),
        tests=("tests/diff/test_programs.py::test_program[rounds_of_rows-rand:3]",),
    ),
)

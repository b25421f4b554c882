import DocumentValues

/// Looks in an expression for what works otherwise than its author expects, or not in Collect.
struct MeaningCheck {
    struct Remark {
        let code: FindingCode
        let message: String
        var hint: String?
    }

    /// What an expression is used as.
    private enum Use { case value, nodes }

    private let outline: FormOutline
    private let site: FormChecker.Site
    private let kinds: StaticKinds
    /// The columns of the choices that a filter is about; `nil` where they are not known.
    private let columns: Set<Name>?
    private(set) var remarks: [Remark] = []

    init(outline: FormOutline, site: FormChecker.Site, columns: Set<Name>?) {
        self.outline = outline
        self.site = site
        self.columns = columns
        kinds = StaticKinds(outline: outline, owner: site.id)
    }

    private var paths: StaticPath { kinds.paths }

    mutating func check(_ expression: FormExpression) {
        let start: StaticPath.Location = site.isFilter ? candidates : .node(site.id)
        check(expression, context: start, use: .value, isChoice: site.isFilter)
    }

    /// What the choice filter of the question keeps some of.
    private var candidates: StaticPath.Location {
        guard case .select(_, .answers(let name))? = outline[site.id].type,
            let question = outline.nodes(named: name).first, let parent = outline[question].parent
        else { return .instance }
        return .node(parent)
    }

    private mutating func add(_ code: FindingCode, message: String, hint: String? = nil) {
        remarks.append(Remark(code: code, message: message, hint: hint))
    }

    /// - Parameter isChoice: whether the context is a choice of the question itself.
    private mutating func check(
        _ expression: FormExpression, context: StaticPath.Location, use: Use, isChoice: Bool
    ) {
        switch expression {
        case .text, .number: break
        case .negated, .logical:
            for child in expression.children { check(child, context: context, use: .value, isChoice: isChoice) }
        case .chain(let first, let links):
            checkComparisons(first, links: links, context: context)
            for child in expression.children { check(child, context: context, use: .value, isChoice: isChoice) }
        case .union(let members):
            add(.beyondODK, message: "'|' is not known in Collect.")
            for member in members { check(member, context: context, use: .nodes, isChoice: isChoice) }
        case .call(let call): check(call, context: context, use: use, isChoice: isChoice)
        case .path(let path): check(path, context: context, use: use, isChoice: isChoice)
        }
    }

    // MARK: - Calls

    private mutating func check(_ call: FunctionCall, context: StaticPath.Location, use: Use, isChoice: Bool) {
        switch call.function {
        case .floor, .ceiling, .substring, .last:
            add(.beyondODK, message: "'\(call.function.rawValue)' is not known in Collect.")
        case .selected where kinds.kind(of: call.arguments[1], context: context) == .number:
            add(
                .numberSelected, message: "the second argument of 'selected' is a number; Collect stops at it.",
                hint: "Write it in quotation marks.")
        default: break
        }
        for (index, argument) in call.arguments.enumerated() {
            let passes = call.function == .if && index > 0 || call.function == .coalesce
            let own: Use = Self.takesNodes(call.function, at: index) ? .nodes : passes ? use : .value
            check(argument, context: context, use: own, isChoice: isChoice)
        }
    }

    private static func takesNodes(_ function: FormFunction, at index: Int) -> Bool {
        switch function {
        case .sum, .min, .max, .concat, .distance, .area, .weightedChecklist, .boolean, .not, .position, .count,
            .countNonEmpty:
            true
        case .join, .choiceName: index > 0
        case .randomize: index == 0
        case .indexedRepeat: function.nodeArguments.contains(index)
        default: false
        }
    }

    // MARK: - Comparisons

    private mutating func checkComparisons(
        _ first: FormExpression, links: [FormExpression.ChainLink], context: StaticPath.Location
    ) {
        var left = first
        for link in links {
            checkComparison(left, operator: link.operator, right: link.right, context: context)
            left = link.right
        }
    }

    private mutating func checkComparison(
        _ left: FormExpression, operator sign: FormExpression.Operator, right: FormExpression,
        context: StaticPath.Location
    ) {
        switch sign {
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            for text in [left.literal, right.literal] {
                guard let text, MomentText.looksLikeDate(text) else { continue }
                add(
                    .comparedDateText, message: "'\(text)' is compared as a text.",
                    hint: "Collect needs date('\(text)').")
            }
        case .equal, .notEqual: break
        case .plus, .minus, .times, .divided, .modulo: return
        }
        guard left.literal != "", right.literal != "",
            [left, right].contains(where: { kinds.kind(of: $0, context: context) == .dateTime })
        else { return }
        add(
            .comparedByDay, message: "dates with a time are compared by their days.",
            hint: "Compare decimal-date-time(…) to compare times, too.")
    }

    // MARK: - Paths

    private mutating func check(_ path: PathExpression, context: StaticPath.Location, use: Use, isChoice: Bool) {
        let locations = paths.location(of: path, context: context)
        if case .filter(let inner, let predicates) = path.start {
            check(inner, context: context, use: .nodes, isChoice: isChoice)
            for predicate in predicates { checkPredicate(predicate, context: locations[0]) }
        }
        for (step, location) in zip(path.steps, locations.dropFirst()) {
            for predicate in step.predicates { checkPredicate(predicate, context: location) }
        }
        checkName(path, locations: locations, isChoice: isChoice)
        if use == .value, let name = severalNodes(path, locations: locations, context: context) {
            add(
                .repeatAsValue,
                message: "'\(name.text)' has a value in each instance of its repeat; the first one is taken.",
                hint: "Use sum(), count(), join(), indexed-repeat() or a predicate.")
        }
    }

    private mutating func checkPredicate(_ predicate: FormExpression, context: StaticPath.Location) {
        if kinds.kind(of: predicate, context: context) == .number {
            add(
                .beyondODK, message: "a number as a predicate selects nothing in Collect.",
                hint: "Write '[position() = …]'.")
        }
        check(predicate, context: context, use: .value, isChoice: false)
    }

    /// A step that leads to no node, or to no column of the choices.
    private mutating func checkName(_ path: PathExpression, locations: [StaticPath.Location], isChoice: Bool) {
        if isChoice, case .context = path.start, let step = path.steps.first, step.axis == .child,
            case .name(let name) = step.test, let columns, !columns.contains(name)
        {
            add(
                .emptyPath, message: "no choice has a column '\(name.text)'.",
                hint: NearName.hint(name.text, among: columns.map(\.text).sorted()))
            return
        }
        guard let index = locations.firstIndex(of: .nowhere), index > 0 else { return }
        let step = path.steps[index - 1]
        guard step.axis == .child, case .name(let name) = step.test else { return }
        add(.emptyPath, message: "the path leads to no question: '\(name.text)' is not there.")
    }

    /// The node of which the path gives several; `nil` if it gives one, or may.
    private func severalNodes(
        _ path: PathExpression, locations: [StaticPath.Location], context: StaticPath.Location
    ) -> Name? {
        guard case .node(let target)? = locations.last else { return nil }
        let isAbsolute = if case .record = path.start { true } else { false }
        let here: FormOutline.ID = if case .node(let id) = context { id } else { site.id }
        var isSeveral = false
        for (index, step) in path.steps.enumerated() where step.axis == .child {
            guard case .node(let id) = locations[index + 1], outline[id].isRepeat, step.predicates.isEmpty else {
                continue
            }
            let isLast = index + 1 == path.steps.count
            if !isAbsolute || isLast || !outline.isInside(here, of: id) { isSeveral = true }
        }
        return isSeveral ? outline[target].node.name : nil
    }
}

extension FormChecker {
    mutating func checkMeaning(of expression: FormExpression, site: Site) {
        var check = MeaningCheck(outline: outline, site: site, columns: site.isFilter ? columns(of: site.id) : nil)
        check.check(expression)
        for remark in check.remarks {
            add(remark.code, at: site.part, message: "\(site.owner): \(remark.message)", hint: remark.hint)
        }
    }

    /// `nil` for choices that are not in the definition.
    private mutating func columns(of id: FormOutline.ID) -> Set<Name>? {
        switch outline[id].type {
        case .select(_, .list(let list))?: columns(ofList: list)
        case .select?, .plain?, nil: nil
        }
    }
}

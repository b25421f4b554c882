import DocumentValues

/// A form with its expressions read and its references resolved.
package struct FormProgram: Sendable {
    /// The members of a node that are expressions.
    package enum Rule: String, Sendable, CaseIterable {
        case relevant, required, readOnly, constraint, calculation
        case defaultValue = "default"
        case choiceFilter = "choice_filter"
        case repeatCount = "repeat_count"
    }

    /// An expression that cannot be used.
    package struct Problem: Sendable {
        /// The root for an expression of the form itself.
        package let node: FormOutline.ID
        /// The member that has it: `constraint`.
        package let member: String
        package let error: ExpressionError
    }

    package struct NodeRules: Sendable {
        package fileprivate(set) var relevant: FormExpression?
        package fileprivate(set) var required: FormExpression?
        package fileprivate(set) var readOnly: FormExpression?
        package fileprivate(set) var constraint: FormExpression?
        package fileprivate(set) var calculation: FormExpression?
        /// A default that is an expression.
        package fileprivate(set) var dynamicDefault: FormExpression?
        package fileprivate(set) var choiceFilter: FormExpression?
        package fileprivate(set) var repeatCount: FormExpression?
        /// Of a select whose choices come in a random order.
        package fileprivate(set) var order: ChoiceOrder?
    }

    /// Which number decides a random order of choices.
    package enum ChoiceOrder: Sendable {
        case seeded(FormExpression)
        /// One that is drawn for each question of a record, and kept with it.
        case drawn
    }

    package let outline: FormOutline
    package let formID: Name
    package let version: String
    package let instanceNames: Set<Name>
    /// By the ids of `jr:itext`.
    package let texts: [Name: FormText]
    package let allowsDuplicates: Bool
    /// By the numbers of nodes.
    package private(set) var rules: [NodeRules] = []
    package private(set) var instanceName: FormExpression?
    package private(set) var problems: [Problem] = []
    /// The columns of instances in which expressions look up rows by equality.
    package private(set) var lookups: [Name: Set<Name>] = [:]

    package init(_ form: Form) {
        outline = FormOutline(form)
        formID = form.id
        version = form.version
        texts = Dictionary(form.texts.map { ($0.id, $0.text) }) { first, _ in first }
        allowsDuplicates = form.settings.allowChoiceDuplicates
        instanceNames = Self.instanceNames(of: form, outline: outline)
        rules = outline.entries.indices.map { _ in NodeRules() }
        for id in outline.entries.indices { readRules(of: id) }
        instanceName = read(form.instanceName, of: FormOutline.root, member: "instance_name")
    }

    /// The names that `instance('…')` may have: lists, files, and those that questions declare.
    static func instanceNames(of form: Form, outline: FormOutline) -> Set<Name> {
        var names = Set(form.lists.map(\.name) + form.files.map(\.instanceName))
        for entry in outline.entries {
            switch entry.type {
            case .select(_, .file(let file))?: names.insert(stem(file))
            case .plain(let type)? where type.isDeclaration: names.insert(entry.node.name)
            case .select?, .plain?, nil: break
            }
        }
        return names
    }

    /// The name of a file's instance.
    package static func stem(_ file: Name) -> Name { FormFile(name: file, kind: .csv).instanceName }

    private mutating func readRules(of id: FormOutline.ID) {
        let node = outline[id].node
        var rules = NodeRules()
        rules.relevant = read(node.relevant, of: id, member: "relevant")
        rules.required = read(node.required, of: id, member: "required")
        rules.readOnly = read(node.readOnly, of: id, member: "read_only")
        rules.constraint = read(node.constraint, of: id, member: "constraint")
        rules.calculation = read(node.calculation, of: id, member: "calculation")
        rules.choiceFilter = read(node.choiceFilter, of: id, member: "choice_filter", isPredicate: true)
        rules.repeatCount = read(node.repeatCount, of: id, member: "repeat_count")
        if let text = node.defaultValue, let type = node.type, DefaultText.isDynamic(text, type: type) {
            rules.dynamicDefault = read(text, of: id, member: "default")
        }
        if case .select = node.type, node.parameters["randomize"]?.lowercased().isExactly("true") == true {
            rules.order = read(node.parameters["seed"], of: id, member: "parameters").map { .seeded($0) } ?? .drawn
        }
        self.rules[id] = rules
        noteLookups(in: rules, of: id)
    }

    private mutating func read(
        _ text: String?, of id: FormOutline.ID, member: String, isPredicate: Bool = false
    ) -> FormExpression? {
        guard let text, !text.trimmingSpaces.isEmpty else { return nil }
        do throws(ExpressionError) {
            return try compile(text, owner: id, isPredicate: isPredicate)
        } catch {
            problems.append(Problem(node: id, member: member, error: error))
            return nil
        }
    }

    /// - Parameter owner: the node that has the expression; the root for the form's own.
    /// - Throws: `ExpressionError` with the first fault.
    package func compile(
        _ text: String, owner: FormOutline.ID, isPredicate: Bool = false
    ) throws(ExpressionError) -> FormExpression {
        let parsed = try ExpressionParser.parse(text, isPredicate: isPredicate)
        let resolver = ReferenceResolver(
            outline: outline, owner: owner, instances: instanceNames, suggests: problems.count < FormLimits.problems)
        return try resolver.resolve(parsed)
    }

    // MARK: Look-ups

    private mutating func noteLookups(in rules: NodeRules, of id: FormOutline.ID) {
        let node = outline[id].node
        if case .question(.select(_, let source)) = node.kind {
            let value = ChoiceColumns(node: node).value
            if let list = source.instanceName { lookups[list, default: []].insert(value) }
            if let list = source.instanceName, let filter = rules.choiceFilter, let lookUp = TableLookup(filter) {
                lookups[list, default: []].insert(lookUp.column)
            }
        }
        let expressions = [
            rules.relevant, rules.required, rules.readOnly, rules.constraint, rules.calculation, rules.dynamicDefault,
            rules.choiceFilter, rules.repeatCount,
        ]
        for expression in expressions.compactMap(\.self) {
            expression.forEach { part in
                if let found = Self.lookUp(part) { lookups[found.instance, default: []].insert(found.column) }
            }
        }
    }

    private static func lookUp(_ expression: FormExpression) -> (instance: Name, column: Name)? {
        switch expression {
        case .call(let call) where call.function == .pulldata:
            guard case .text(let file) = call.arguments[0], case .text(let column) = call.arguments[2] else {
                return nil
            }
            return (PulledFile.instanceName(file), Name(column))
        case .path(let path):
            guard case .filter(.call(let call), _) = path.start, call.function == .instance,
                case .text(let name) = call.arguments[0], path.steps.count > 1,
                let predicate = path.steps[1].predicates.first, let lookUp = TableLookup(predicate)
            else { return nil }
            return (Name(name), lookUp.column)
        case .text, .number, .negated, .logical, .chain, .union, .call: return nil
        }
    }
}

/// The file of `pulldata`, with its ending or without it.
enum PulledFile {
    static func instanceName(_ file: String) -> Name {
        let text = file.trimmingSpaces
        return Name(text.lowercased().hasSuffix(".csv") ? String(decoding: text.utf8.dropLast(4), as: UTF8.self) : text)
    }
}

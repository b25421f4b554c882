import DocumentValues

/// Expressions: whether they can be read, the questions that they name, and circles among these.
extension FormChecker {
    /// One expression of the form.
    struct Site {
        /// The node that has it; the root for the form's own.
        let id: FormOutline.ID
        let part: FormPart
        /// `relevant of 'too_warm'`.
        let owner: String
        let text: String
        var member: Name = ""
        /// Whether bare names are columns of a choice.
        var isFilter = false
    }

    mutating func checkExpressions() {
        var graph = DependencyGraph(outline: outline, count: nodes.upperBound)
        for site in sites {
            guard let expression = compile(site) else { continue }
            checkLiterals(of: expression, site: site)
            checkMeaning(of: expression, site: site)
            if Self.makesCircles(site, node: outline[site.id].node) {
                graph.add(expression, site: site)
            }
        }
        checkCircles(graph)
    }

    /// What a node's value, its visibility and its being asked depend on. A calculation that is run by a trigger is no part
    /// of it: an event ends each round.
    private static func makesCircles(_ site: Site, node: FormNode) -> Bool {
        switch site.member.text {
        case "relevant", "required", "read_only": site.id != FormOutline.root
        case "calculation": node.trigger.isEmpty
        default: false
        }
    }

    private var sites: [Site] {
        var sites: [Site] = []
        if let text = form.instanceName {
            sites.append(
                Site(
                    id: FormOutline.root, part: FormPart(.form, member: "instance_name"), owner: "instance_name",
                    text: text))
        }
        for id in nodes { sites += self.sites(of: id) }
        for (index, entity) in form.entities.enumerated() { sites += self.sites(of: entity, index: index) }
        return sites.filter { !$0.text.trimmingSpaces.isEmpty }
    }

    private func sites(of id: FormOutline.ID) -> [Site] {
        let node = outline[id].node
        let isDynamic =
            if let text = node.defaultValue, let type = node.type { DefaultText.isDynamic(text, type: type) } else {
                false
            }
        let texts: [(Name, String?)] = [
            ("required", node.required), ("constraint", node.constraint), ("relevant", node.relevant),
            ("read_only", node.readOnly), ("calculation", node.calculation),
            ("default", isDynamic ? node.defaultValue : nil), ("choice_filter", node.choiceFilter),
            ("repeat_count", node.repeatCount),
        ]
        return texts.compactMap { member, text in
            text.map {
                Site(
                    id: id, part: part(id, member: member), owner: "\(member.text) of '\(node.name.text)'", text: $0,
                    member: member, isFilter: member == "choice_filter")
            }
        }
    }

    private func sites(of entity: FormEntity, index: Int) -> [Site] {
        let texts: [(Name, String?)] = [
            ("label", entity.label), ("entity_id", entity.entityID), ("create_if", entity.createIf),
            ("update_if", entity.updateIf),
        ]
        let owner = entity.repeat.flatMap { outline.nodes(named: $0).first } ?? FormOutline.root
        return texts.compactMap { member, text in
            text.map {
                Site(
                    id: owner, part: FormPart(.entity(index), member: member),
                    owner: "\(member.text) of an entity of '\(entity.listName.text)'", text: $0)
            }
        }
    }

    // MARK: - Reading

    /// The expression with its references resolved; `nil` where it cannot be, with findings.
    private mutating func compile(_ site: Site) -> FormExpression? {
        do throws(ExpressionError) {
            let expression = try ExpressionParser.parse(site.text, isPredicate: site.isFilter)
            guard checkReferences(in: expression, site: site) else { return nil }
            let resolver = ReferenceResolver(
                outline: outline, owner: site.id, instances: instances, suggests: mayHint)
            return try resolver.resolve(expression)
        } catch {
            add(error, site: site)
            return nil
        }
    }

    private mutating func add(_ error: ExpressionError, site: Site) {
        let code: FindingCode =
            switch error.code {
            case .unknownList: .unknownList
            case .unknownName: .unknownReference
            case .ambiguousName: .ambiguousReference
            case .syntax: .unparsable
            case .unknownFunction: .unknownFunction
            case .argumentCount: .wrongArguments
            case .pathNeeded: .pathNeeded
            case .limit: .limit
            }
        if error.hint != nil { countHint() }
        add(
            code, at: site.part, message: "\(site.owner): \(error.message) (character \(error.position + 1)).",
            hint: error.hint)
    }

    /// All of its references, not only the first one that is wrong.
    private mutating func checkReferences(in expression: FormExpression, site: Site) -> Bool {
        var found: [Name] = []
        expression.forEach { part in
            if case .path(let path) = part, case .reference(let reference) = path.start { found.append(reference.name) }
        }
        var areKnown = true
        for name in found {
            areKnown = checkReference(to: name, owner: site.owner, at: site.part) && areKnown
        }
        return areKnown
    }

    // MARK: - Literals

    /// Patterns, algorithms, formats and files that are written out and cannot work.
    private mutating func checkLiterals(of expression: FormExpression, site: Site) {
        var calls: [FunctionCall] = []
        expression.forEach { part in
            if case .call(let call) = part { calls.append(call) }
        }
        for call in calls {
            if let message = LiteralFault.message(of: call) {
                add(.badLiteral, at: site.part, message: "\(site.owner): \(message) (character \(call.position + 1)).")
            }
            checkPulledFile(call, site: site)
        }
    }

    private mutating func checkPulledFile(_ call: FunctionCall, site: Site) {
        guard call.function == .pulldata, let file = call.arguments.first?.literal,
            !instances.contains(PulledFile.instanceName(file))
        else { return }
        let hint = nearHint(PulledFile.instanceName(file), among: instances)
        add(
            .missingFile, at: site.part, message: "\(site.owner): the file '\(file)' is not one of the form.",
            hint: hint ?? "Add it to the files of the form.")
    }
}

/// Faults of the texts that a call has as arguments.
enum LiteralFault {
    static func message(of call: FunctionCall) -> String? {
        let texts = call.arguments.map(\.literal)
        switch call.function {
        case .regex:
            guard let pattern = texts[1], !FormPattern.isValid(pattern) else { return nil }
            return "'\(pattern)' is no pattern that can be read"
        case .digest:
            if let algorithm = texts[1], !algorithms.contains(algorithm) {
                return "'\(algorithm)' is no algorithm; there are \(algorithms.joined(separator: ", "))"
            }
            guard texts.count > 2, let encoding = texts[2], encoding != "base64", encoding != "hex" else { return nil }
            return "'\(encoding)' is no encoding; there are base64 and hex"
        case .formatDate, .formatDateTime:
            guard let format = texts[1], let letter = FormDateFormat.unknownLetter(in: format) else { return nil }
            return "'%\(letter)' means nothing in a format of dates"
        default: return nil
        }
    }

    private static let algorithms = ["MD5", "SHA-1", "SHA-256", "SHA-384", "SHA-512"]
}

extension FormExpression {
    /// The text, if it is one that is written out.
    var literal: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }
}

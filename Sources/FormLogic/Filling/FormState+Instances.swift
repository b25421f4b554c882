import DocumentValues

extension FormState {
    // MARK: Defaults

    /// Answers that nothing but the opening gives: times, names of the laptop and its user, the record's id.
    mutating func preload() {
        for (id, entry) in outline.entries.enumerated() {
            guard case .plain(let type) = entry.type else { continue }
            for node in record.nodes(of: id) { preload(type, name: entry.node.name, at: node) }
        }
    }

    private mutating func preload(_ type: QuestionType.PlainType, name: Name, at node: Record.ID) {
        switch type {
        case .start: setMoment(.dateTime, at: node)
        case .today: setMoment(.date, at: node)
        case .deviceid, .username, .email, .phonenumber, .uriDeviceid, .uriUsername, .uriEmail, .uriPhonenumber:
            guard let text = evaluator.properties[Name(type.rawValue)], !text.isEmpty else { return }
            store(.text(text), at: node, cause: .preset, depth: nil)
        case .hidden where name == "instanceID" && isInMeta(node):
            let id = "uuid:" + RandomUUID.text(from: &evaluator.state.random)
            store(.text(id), at: node, cause: .preset, depth: nil)
        default: return
        }
    }

    private func isInMeta(_ node: Record.ID) -> Bool {
        outline[record[node].formNode].parent.map { outline[$0].node.name == "meta" } ?? false
    }

    /// The present time in a question for times or days.
    mutating func setMoment(_ kind: Moment.Kind, at node: Record.ID) {
        guard let type = outline[record[node].formNode].type else { return }
        let moment = FormValue.moment(Moment(instant: evaluator.state.now, kind: .dateTime))
        let answer = AnswerStoring(evaluator.state.conversions).answer(moment, for: type).answer
        store(answer, at: node, cause: .preset, depth: nil)
    }

    /// First those that are texts, then the texts of the form's first instances, then expressions in document order.
    ///
    /// - Parameters:
    ///   - chosen: the nodes of the form that get one; `nil` for all.
    ///   - given: groups and instances that the form has texts for.
    mutating func setDefaults(
        under ancestor: Record.ID, of chosen: Set<FormOutline.ID>? = nil, given: [GivenTexts] = []
    ) {
        let top = record[ancestor].formNode
        for id in top..<outline[top].end where chosen?.contains(id) ?? true {
            guard let text = outline[id].node.defaultValue, let type = outline[id].type,
                !outline[id].node.hasDynamicDefault
            else { continue }
            let answer = WrittenAnswer.answer(text, type: type, conversions: evaluator.state.conversions)
            for node in record.nodes(of: id, under: ancestor) { store(answer, at: node, cause: .preset, depth: nil) }
        }
        for texts in given { set(texts) }
        var dynamic: [(node: Record.ID, rule: FormExpression)] = []
        for id in top..<outline[top].end where chosen?.contains(id) ?? true {
            guard let rule = program.rules[id].dynamicDefault else { continue }
            dynamic += record.nodes(of: id, under: ancestor).map { ($0, rule) }
        }
        for (node, rule) in dynamic { store(rule, of: .defaultValue, at: node, cause: .preset, depth: 1) }
    }

    /// The texts that the form has for the questions of a group or an instance with which a record begins.
    struct GivenTexts {
        let node: Record.ID
        let texts: JSONObject
    }

    private mutating func set(_ given: GivenTexts) {
        for member in given.texts.members {
            guard let text = member.value.stringValue,
                let child = outline.child(of: record[given.node].formNode, named: Name(member.key)),
                let type = outline[child].type
            else { continue }
            let answer = WrittenAnswer.answer(text, type: type, conversions: evaluator.state.conversions)
            for node in record.children(of: given.node, formNode: child) {
                store(answer, at: node, cause: .preset, depth: nil)
            }
        }
    }

    // MARK: Repeats

    /// A repeat begins with the instances that the form has for it; without any and without a count, with one.
    ///
    /// - Returns: the texts of those that the form has.
    @discardableResult
    mutating func addFirstInstances(in parent: Record.ID) -> [GivenTexts] {
        var given: [GivenTexts] = []
        var open: [(node: Record.ID, texts: JSONObject?)] = [(parent, nil)]
        while let (node, texts) = open.popLast() {
            if let texts { given.append(GivenTexts(node: node, texts: texts)) }
            for child in outline[record[node].formNode].children {
                let value = texts?[outline[child].node.name.text]
                if outline[child].isRepeat {
                    for instance in firstInstances(of: child, value: value) {
                        guard let added = evaluator.record.addInstance(of: child, in: node, key: newKey()) else {
                            break
                        }
                        changes.append(.added(instance: added))
                        open.append((added, instance))
                    }
                } else if outline[child].type == nil {
                    open += record.children(of: node, formNode: child).map { ($0, value?.objectValue) }
                }
            }
        }
        return given
    }

    /// - Parameter value: that of an inner repeat in the texts of the instance around it.
    private func firstInstances(of formNode: FormOutline.ID, value: JSONValue?) -> [JSONObject?] {
        let inner = value?.arrayValue?.map { $0.objectValue ?? [:] } ?? []
        let known = outline[formNode].enclosingRepeat == nil ? outline[formNode].node.firstInstances : inner
        if !known.isEmpty { return known }
        return outline[formNode].node.repeatCount == nil ? [nil] : []
    }

    /// Eight letters.
    private mutating func newKey() -> Name {
        let letters = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)
        let bytes = (0..<8).map { _ in letters[Int.random(in: letters.indices, using: &evaluator.state.random)] }
        return Name(String(decoding: bytes, as: UTF8.self))
    }

    /// For each question whose choices come in a random order, unless it has one.
    mutating func drawSeeds(under ancestor: Record.ID = Record.root) {
        let top = record[ancestor].formNode
        for id in top..<outline[top].end {
            guard case .drawn? = program.rules[id].order else { continue }
            for node in record.nodes(of: id, under: ancestor) where evaluator.seeds[node] == nil {
                // What the generator of the order takes.
                evaluator.seeds[node] = Int64.random(in: 1..<2_147_483_647, using: &evaluator.state.random)
            }
        }
    }

    /// With their defaults; the rules that depend on the number of instances, and those in the instances, are marked.
    ///
    /// - Returns: whether there was room for all.
    mutating func addInstances(
        _ number: Int, of formNode: FormOutline.ID, in parent: Record.ID, at position: Int? = nil
    ) -> Bool {
        var count = 0
        while count < number, addInstance(of: formNode, in: parent, at: position) { count += 1 }
        // Once for all of them: each may concern all others.
        if count > 0 { markReaders(ofInstances: formNode, in: parent) }
        return count == number
    }

    private mutating func addInstance(of formNode: FormOutline.ID, in parent: Record.ID, at position: Int?) -> Bool {
        guard let added = evaluator.record.addInstance(of: formNode, in: parent, key: newKey(), at: position) else {
            return false
        }
        changes.append(.added(instance: added))
        addFirstInstances(in: added)
        drawSeeds(under: added)
        updateRelevance(from: added)
        setDefaults(under: added)
        markEverything(under: added)
        return true
    }

    mutating func removeInstance(_ instance: Record.ID) {
        guard let key = record[instance].key, let parent = record[instance].parent else { return }
        let formNode = record[instance].formNode
        let removed = evaluator.record.removeInstance(instance)
        forget(removed)
        changes.append(.removed(formNode: formNode, key: key))
        markReaders(ofInstances: formNode, in: parent)
    }

    /// Adds instances until there are as many as the count says; none is removed. A count that reports changes nothing.
    mutating func count(_ formNode: FormOutline.ID, parents: [Record.ID]) {
        guard let rule = program.rules[formNode].repeatCount else { return }
        for parent in parents {
            evaluations += 1
            let (value, reports) = evaluator.value(of: rule, at: .missingChild(of: parent))
            keep(reports, of: .repeatCount, at: parent)
            guard reports.isEmpty else { continue }
            let number = evaluator.state.conversions.number(value)
            let wanted = number.isNaN ? 0 : Int(min(max(number.rounded(.towardZero), 0), Double(FormLimits.instances)))
            if number > Double(FormLimits.instances) {
                keep([Report(.limit, in: "repeat_count")], of: .repeatCount, at: parent)
            }
            counts[RepeatKey(parent: parent, formNode: formNode)] = wanted
            let present = record.children(of: parent, formNode: formNode).count
            if !addInstances(max(wanted - present, 0), of: formNode, in: parent) {
                keep([Report(.limit, in: "repeat_count")], of: .repeatCount, at: parent)
            }
        }
    }
}

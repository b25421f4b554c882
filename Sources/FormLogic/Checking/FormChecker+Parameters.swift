import DocumentValues

/// Parameters, as each type of question has them.
extension FormChecker {
    mutating func checkParameters(of id: FormOutline.ID) {
        let node = outline[id].node
        guard !node.parameters.isEmpty || node.type == .plain(.range) else { return }
        let known = ParameterRule.rules(of: node.type)
        for parameter in node.parameters {
            let owner = "parameters of '\(node.name.text)'"
            guard let rule = known.first(where: { $0.name == parameter.name }) else {
                add(
                    .badParameter, at: parameterPart(id, name: parameter.name),
                    message: "\(owner): '\(parameter.name.text)' is no parameter of this type.",
                    hint: known.isEmpty
                        ? "It has none." : "It has: \(known.map(\.name.text).joined(separator: ", ")).")
                continue
            }
            if !rule.value.takes(parameter.text) {
                add(
                    .badParameter, at: parameterPart(id, name: parameter.name),
                    message: "\(owner): \(parameter.name.text) is \(rule.value.wording), not '\(parameter.text)'.")
            } else if !rule.isObeyed {
                add(
                    .withoutMeaning, at: parameterPart(id, name: parameter.name),
                    message: "\(owner): '\(parameter.name.text)' has no meaning here.")
            }
            if rule.value == .numberOrReference { checkSeed(parameter.text, id: id) }
        }
        checkTogether(id, node: node)
    }

    private func parameterPart(_ id: FormOutline.ID, name: Name) -> FormPart {
        part(id, member: "parameters", language: name)
    }

    private mutating func checkSeed(_ text: String, id: FormOutline.ID) {
        for name in TextReferences.names(in: text) {
            checkReference(
                to: name, owner: "seed of '\(outline[id].node.name.text)'", at: parameterPart(id, name: "seed"))
        }
    }

    /// Parameters that need each other.
    private mutating func checkTogether(_ id: FormOutline.ID, node: FormNode) {
        let owner = "parameters of '\(node.name.text)'"
        if node.parameters["seed"] != nil, node.parameters["randomize"]?.lowercased() != "true" {
            add(
                .badParameter, at: parameterPart(id, name: "seed"), message: "\(owner): 'seed' needs 'randomize: true'."
            )
        }
        if node.type == .plain(.range) { checkRange(id, node: node) }
        let locations = node.parameters.filter { $0.name.hasPrefix("location-") }
        if !locations.isEmpty, locations.count < 3 {
            add(
                .badParameter, at: parameterPart(id, name: locations[0].name),
                message: "\(owner): location-priority, location-min-interval and location-max-age belong together.")
        }
    }

    private mutating func checkRange(_ id: FormOutline.ID, node: FormNode) {
        let owner = "parameters of '\(node.name.text)'"
        let texts = ["start", "end", "step"].map { node.parameters[Name($0)] }
        let defaults = [1.0, 10, 1]
        let numbers = zip(texts, defaults).map { text, value in text.map(ParameterRule.number) ?? value }
        guard let start = numbers[0], let end = numbers[1], let step = numbers[2] else { return }
        if step == 0 || abs(step) > abs(end - start) {
            add(
                .badParameter, at: parameterPart(id, name: "step"),
                message: "\(owner): 'step' is neither 0 nor larger than the range.")
        }
        guard let text = node.parameters["tick_interval"], let interval = ParameterRule.number(text) else { return }
        let steps = interval / step
        if interval == 0 || abs(steps - steps.rounded()) > 1e-9 || abs(interval) > abs(end - start) {
            add(
                .badParameter, at: parameterPart(id, name: "tick_interval"),
                message: "\(owner): 'tick_interval' is a multiple of 'step' within the range.")
        }
        if let list = node.parameters["tick_labelset"], listIndices[Name(list)] == nil {
            let hint = nearHint(Name(list), among: listIndices.keys)
            add(
                .unknownList, at: parameterPart(id, name: "tick_labelset"),
                message: "\(owner): no list is called '\(list)'.", hint: hint)
        }
    }
}

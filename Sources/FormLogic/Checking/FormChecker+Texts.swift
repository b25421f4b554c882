import DocumentValues

/// Labels and their translations.
extension FormChecker {
    mutating func checkLabels() {
        for id in nodes {
            let node = outline[id].node
            let isMissing = Self.isEmpty(node.label) && node.media.isEmpty
            if node.isRepeat, isMissing {
                add(.repeatWithoutLabel, at: part(id), message: "the repeat '\(node.name.text)' has no label.")
            } else if node.type?.isVisible == true, isMissing {
                add(
                    options.isImported ? .missingLabel : .missingText, at: part(id),
                    message: "the question '\(node.name.text)' has no label.",
                    hint: "A person cannot see what it asks for.")
            }
        }
    }

    private static func isEmpty(_ text: FormText?) -> Bool { text?.all.allSatisfy(\.isEmpty) ?? true }

    mutating func checkTranslations() {
        check(form.title, owner: "title", part: FormPart(.form, member: "title"))
        for id in nodes {
            for (member, text) in texts(of: outline[id].node) {
                check(text, owner: "\(member.text) of '\(outline[id].node.name.text)'", part: part(id, member: member))
            }
        }
        for (index, list) in form.lists.enumerated() {
            for (position, choice) in list.choices.enumerated() {
                let owner = "label of '\(choice.name.text)' in list '\(list.name.text)'"
                let part = FormPart(.choice(list: index, index: position), member: "label")
                if let label = choice.label { check(label, owner: owner, part: part) }
            }
        }
    }

    func texts(of node: FormNode) -> [(member: Name, text: FormText)] {
        let texts: [(Name, FormText?)] = [
            ("label", node.label), ("hint", node.hint), ("guidance_hint", node.guidanceHint),
            ("required_message", node.requiredMessage), ("constraint_message", node.constraintMessage),
        ]
        return texts.compactMap { member, text in text.map { (member, $0) } }
    }

    private mutating func check(_ text: FormText, owner: String, part: FormPart) {
        guard case .translated(let translations) = text else { return }
        let declared = form.languages.map(\.code)
        for translation in translations where !declared.contains(translation.language) {
            let hint =
                declared.isEmpty
                ? "Declare languages: 'languages: {en: English}'." : nearHint(translation.language, among: declared)
            add(
                .unknownLanguage, at: FormPart(part.owner, member: part.member, language: translation.language),
                message: "\(owner): the language '\(translation.language.text)' is not declared.", hint: hint)
        }
        let missing = declared.filter { code in !translations.contains { $0.language == code && !$0.text.isEmpty } }
        if !missing.isEmpty, missing.count < declared.count {
            add(
                .missingTranslation, at: part,
                message: "\(owner) is missing in: \(missing.map(\.text).joined(separator: ", ")).")
        }
    }

    // MARK: - References in texts

    /// `${name}` in labels, hints, messages and labels of choices.
    mutating func checkTextReferences() {
        for id in nodes {
            for (member, text) in texts(of: outline[id].node) {
                checkReferences(
                    in: text, owner: "\(member.text) of '\(outline[id].node.name.text)'", part: part(id, member: member)
                )
            }
        }
        for (index, list) in form.lists.enumerated() {
            for (position, choice) in list.choices.enumerated() {
                guard let label = choice.label else { continue }
                checkReferences(
                    in: label, owner: "label of '\(choice.name.text)' in list '\(list.name.text)'",
                    part: FormPart(.choice(list: index, index: position), member: "label"))
            }
        }
    }

    private mutating func checkReferences(in text: FormText, owner: String, part: FormPart) {
        let texts: [(language: Name?, text: String)] =
            switch text {
            case .plain(let text): [(nil, text)]
            case .translated(let translations): translations.map { ($0.language, $0.text) }
            }
        for (language, text) in texts {
            for name in TextReferences.names(in: text) {
                checkReference(
                    to: name, owner: owner, at: FormPart(part.owner, member: part.member, language: language))
            }
        }
    }

    /// Reports a name that no question has, or several have. Whether exactly one has it.
    @discardableResult
    mutating func checkReference(to name: Name, owner: String, at part: FormPart) -> Bool {
        switch outline.nodes(named: name).count {
        case 1: return true
        case 0:
            add(
                .unknownReference, at: part, message: "\(owner): no question is called '\(name.text)'.",
                hint: nearHint(name, among: names))
        case let count:
            add(
                .ambiguousReference, at: part,
                message: "\(owner): \(count) questions are called '\(name.text)'.",
                hint: "Give each a name of its own.")
        }
        return false
    }
}

/// `${name}` in a text that is shown to people.
package enum TextReferences {
    /// The names in their order; of `${last-saved#name}` the name alone. Other content of the brackets is text.
    package static func names(in text: String) -> [Name] {
        var names: [Name] = []
        var rest = text.utf8[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "$")) {
            rest = rest[start...].dropFirst()
            guard rest.first == UInt8(ascii: "{") else { continue }
            // Up to the next reference only, so that each byte is looked at twice.
            let inner = rest.dropFirst().prefix { $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: "$") }
            rest = rest[inner.endIndex...]
            guard rest.first == UInt8(ascii: "}") else { continue }
            let trimmed = String(Substring(inner)).trimmingSpaces
            let name = trimmed.droppingExactPrefix("last-saved#") ?? trimmed
            if NodeName.isName(name) { names.append(Name(name)) }
        }
        return names
    }
}

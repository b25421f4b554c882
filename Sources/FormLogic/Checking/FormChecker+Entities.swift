import DocumentValues

/// Entities, and the properties that questions give them.
extension FormChecker {
    mutating func checkEntities() {
        for (index, entity) in form.entities.enumerated() {
            let part = FormPart(.entity(index))
            if entity.listName.isEmpty {
                add(.missingText, at: part, message: "an entity has no list_name.")
            } else if !NodeName.isName(entity.listName.text) || entity.listName.text.utf8.contains(UInt8(ascii: "."))
                || entity.listName.hasPrefix("__")
            {
                add(
                    .badName, at: FormPart(.entity(index), member: "list_name"),
                    message: "'\(entity.listName.text)' cannot be the name of a list of entities.",
                    hint: "It is a name without a point, and does not begin with '__'.")
            }
            if entity.entityID == nil, entity.label == nil {
                add(
                    .missingText, at: part, message: "an entity of '\(entity.listName.text)' has no label.",
                    hint: "One that is made needs a label, one that is changed an entity_id.")
            }
            checkRepeat(of: entity, index: index)
        }
        for id in nodes { checkProperty(of: id) }
    }

    private mutating func checkRepeat(of entity: FormEntity, index: Int) {
        guard let name = entity.repeat else { return }
        let part = FormPart(.entity(index), member: "repeat")
        let owner = "an entity of '\(entity.listName.text)'"
        guard checkReference(to: name, owner: owner, at: part), let id = outline.nodes(named: name).first,
            !outline[id].isRepeat
        else { return }
        add(.unknownReference, at: part, message: "\(owner): '\(name.text)' is no repeat.")
    }

    private mutating func checkProperty(of id: FormOutline.ID) {
        guard let text = outline[id].node.saveTo else { return }
        let owner = "save_to of '\(outline[id].node.name.text)'"
        let parts = text.split(atByte: "#", omittingEmptySubsequences: false).map(String.init)
        let property = parts.last ?? ""
        if form.entities.isEmpty {
            add(.unknownList, at: part(id, member: "save_to"), message: "\(owner): the form has no entities.")
        } else if parts.count > 1, !form.entities.contains(where: { $0.listName == Name(parts[0]) }) {
            let hint = nearHint(Name(parts[0]), among: form.entities.map(\.listName))
            add(
                .unknownList, at: part(id, member: "save_to"),
                message: "\(owner): no entity has the list '\(parts[0])'.", hint: hint)
        } else if parts.count == 1, form.entities.count > 1 {
            add(
                .unknownList, at: part(id, member: "save_to"), message: "\(owner): the form has several entities.",
                hint: "Write 'list#\(property)'.")
        }
        let lowercased = property.lowercased()
        let isReserved = lowercased == "name" || lowercased == "label" || lowercased.hasPrefix("__")
        if isReserved || property.utf8.contains(UInt8(ascii: ".")) || !NodeName.isName(property) {
            add(
                .badName, at: part(id, member: "save_to"), message: "\(owner): '\(property)' cannot be a property.",
                hint: "It is a name without a point, not 'name' or 'label', and does not begin with '__'.")
        }
    }
}

import DocumentValues
import FormLogic

/// The entities that a finalised record makes or changes.
enum FormEntities {
    static func all(of form: Form, in state: FormState) -> [JSONObject] {
        form.entities.flatMap { entity -> [JSONObject] in
            let outline = state.record.outline
            let owner = entity.repeat.flatMap { outline.nodes(named: $0).first } ?? FormOutline.root
            let nodes = state.record.nodes(of: owner).filter { state.record[$0].isRelevant }
            return nodes.compactMap { object(of: entity, form: form, at: $0, owner: owner, in: state) }
        }
    }

    private static func object(
        of entity: FormEntity, form: Form, at node: Record.ID, owner: FormOutline.ID, in state: FormState
    ) -> JSONObject? {
        var evaluator = state.evaluator
        func value(_ text: String?) -> FormValue? {
            guard let text, let rule = try? evaluator.program.compile(text, owner: owner) else { return nil }
            return evaluator.value(of: rule, at: .record(node)).value
        }
        func holds(_ text: String?) -> Bool? {
            value(text).map { evaluator.state.conversions.boolean($0) }
        }
        let action: String
        let isEither = entity.createIf != nil && entity.updateIf != nil
        if entity.entityID == nil || (isEither && holds(entity.createIf) == true) {
            guard holds(entity.createIf) ?? true else { return nil }
            action = "create"
        } else {
            guard holds(entity.updateIf) ?? true else { return nil }
            action = "update"
        }
        let given = value(entity.entityID).map { evaluator.state.conversions.text($0) } ?? ""
        let id = given.isEmpty ? RandomUUID.text(from: &evaluator.state.random) : given
        var object: JSONObject = [
            "id": .string(id), "list": .string(entity.listName.text), "action": .string(action),
            "properties": .object(properties(of: entity, form: form, under: node, in: state)),
        ]
        object["label"] = value(entity.label).map { .string(evaluator.state.conversions.text($0)) }
        return object
    }

    /// Questions name the property that they are saved to, with the list before it where there are several.
    private static func properties(
        of entity: FormEntity, form: Form, under node: Record.ID, in state: FormState
    ) -> JSONObject {
        let record = state.record
        var members: [JSONObject.Member] = []
        for (id, entry) in record.outline.entries.enumerated() {
            guard let target = entry.node.saveTo else { continue }
            let parts = target.split(atByte: "#", maxSplits: 1).map(String.init)
            if parts.count == 2, Name(parts[0]) != entity.listName { continue }
            guard let property = parts.last, record.outline.isInside(id, of: record[node].formNode),
                let found = record.nodes(of: id, under: node).first, record[found].isRelevant,
                let answer = record.answer(of: found)
            else { continue }
            members.append(JSONObject.Member(key: property, value: .string(answer.text)))
        }
        return JSONObject(members: members)
    }
}

import DocumentValues
import FormLogic

/// The entities that an XForm makes or changes: an element `entity` in a `meta`.
struct XFormEntities {
    let all: [FormEntity]

    init(model: XFormModel, references: PathReferences) {
        var found: [FormEntity] = []
        for node in model.tree.nodes where node.path.last.text == "entity" && node.path.parent.last.text == "meta" {
            guard let list = Self.attribute("dataset", of: node) else { continue }
            func expression(_ part: String) -> String? {
                let path = node.path.appending(Name(part))
                return model.binds[path]?["calculate"].map { references.converted($0, context: path) }
            }
            var entity = FormEntity(listName: Name(list), label: expression("label"))
            entity.createIf = expression("@create")
            entity.updateIf = expression("@update")
            entity.entityID = expression("@id")
            let owner = node.path.parent.parent
            if owner.steps.count > 1 { entity.repeat = owner.last }
            entity.sourceRow = node.line
            found.append(entity)
        }
        all = found
    }

    private static func attribute(_ name: String, of node: InstanceTree.Node) -> String? {
        node.attributes.first { $0.local == name }?.value
    }
}

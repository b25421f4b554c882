import DocumentValues
import FieldModels

/// The history of a filled form that comes back after its deletion.
enum ResponseHistory {
    /// The gateway cannot compare it with the version before the deletion, and takes steps of the writer alone. So those of
    /// others are kept within the step of the one who brings it back.
    static func keepAside(in body: inout JSONObject, by author: Author) {
        let entries = (body[Response.Key.history.rawValue]?.arrayValue ?? []).compactMap(\.objectValue)
        let others = entries.filter { !author.name.isExactly($0["by"]?.stringValue) }
        guard author.name != nil, !others.isEmpty else { return }
        var step = ResponseStep(
            .broughtBack, by: author.name, at: author.moment, device: author.device,
            of: body[Response.Key.instanceID.rawValue]?.stringValue ?? "")
        step.former = others
        let own = entries.filter { author.name.isExactly($0["by"]?.stringValue) }
        body[Response.Key.history.rawValue] = .array((own + [step.object]).map { .object($0) })
    }
}

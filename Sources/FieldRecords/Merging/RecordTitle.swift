import DocumentValues
import FieldModels

extension JSONObject {
    /// The line that a list shows of a record.
    func title(of kind: RecordKind) -> String? {
        func text(_ keys: String...) -> String? {
            let parts = keys.compactMap { self[$0]?.stringValue }
            return parts.isEmpty ? nil : parts.joined(separator: " ").asTitle
        }
        switch kind {
        case .site, .form: return text("name")
        case .inspection: return text("date", "visit", "site")
        case .finding: return text("date", "text")
        case .assignment: return text("inspector", "due", "site")
        case .response: return text("instanceName") ?? text("form", "formVersion")
        }
    }
}

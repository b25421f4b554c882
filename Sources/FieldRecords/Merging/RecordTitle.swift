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
        case .site: return text("name")
        case .form: return text("name") ?? formTitle
        case .inspection: return text("date", "visit", "site")
        case .finding: return text("date", "text")
        case .assignment: return text("inspector", "due", "site")
        case .response: return text("instanceName") ?? text("form", "formVersion")
        }
    }

    /// Of a form with groups and calculations: in its first language, if it has several.
    private var formTitle: String? {
        let title = self["title"]?.stringValue ?? self["title"]?.objectValue?.members.first?.value.stringValue
        guard let text = title ?? self["form"]?.stringValue else { return nil }
        let version = self["nodes"] == nil ? nil : self["version"]?.stringValue
        return (text + (version.map { ", version \($0)" } ?? "")).asTitle
    }
}

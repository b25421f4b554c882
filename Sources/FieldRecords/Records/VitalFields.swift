import DocumentValues
import FieldModels

/// The fields without which a record cannot be read, as people set them.
public enum VitalFields {
    public static func of(_ kind: RecordKind) -> [FormField] {
        let site = FormField("site", label: "Site", kind: .text, isRequired: true)
        switch kind {
        case .site: return [FormField("name", label: "Name", kind: .text, isRequired: true)]
        case .inspection: return [site, day("date", label: "Date"), status([Inspection.Status.draft.rawValue])]
        case .finding:
            let text = FormField("text", label: "What is wrong", kind: .text, isRequired: true)
            return [site, day("date", label: "Date"), text]
        case .assignment:
            let inspector = FormField("inspector", label: "Inspector", kind: .text, isRequired: true)
            return [inspector, site, day("due", label: "Due"), status(Assignment.Status.allCases.map(\.rawValue))]
        case .form, .response: return []
        }
    }

    /// Those of a kind that have these problems.
    public static func of(_ kind: RecordKind, with problems: [FieldProblem]) -> [FormField] {
        of(kind).filter { field in problems.contains { $0.field.isExactly(field.name) } }
    }

    private static func day(_ name: String, label: String) -> FormField {
        FormField(name, label: label, kind: .day, isRequired: true)
    }

    private static func status(_ choices: [String]) -> FormField {
        FormField("status", label: "Status", kind: .choice, isRequired: true, choices: choices)
    }
}

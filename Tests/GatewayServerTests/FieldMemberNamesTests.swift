import DocumentValues
import FieldModels
import Testing

@testable import GatewayServer

/// The sync function of the field database checks the type of each member that laptops read: a record in which one of them has
/// another type is refused, before all laptops of the district get it.
@Suite struct FieldMemberNamesTests {
    /// Checked by rules of their own.
    private static let others: [RecordKind: Set<String>] = [
        .inspection: ["status", "photos"], .finding: ["photos"], .assignment: ["status"],
        .response: ["state"],
    ]

    @Test(arguments: RecordKind.allCases) func eachMemberOfAKindIsChecked(kind: RecordKind) throws {
        let names =
            switch kind {
            case .site: Site.Key.names
            case .inspection: Inspection.Key.names
            case .finding: Finding.Key.names
            case .form: FormDefinition.Key.names
            case .assignment: Assignment.Key.names
            case .response: Response.Key.names
            }
        let checked = try Self.names(in: "\(kind)", behind: "var members = {")
        #expect(checked == Set(names).subtracting(Self.others[kind] ?? []))
    }

    @Test func eachMemberOfAllRecordsIsChecked() throws {
        let checked = try Self.names(in: "var ofAll", behind: "var members = {")
        #expect(checked == Set(RecordEnvelope.Key.names).subtracting(["type", "channels"]))
    }

    /// The names of an object's members in the text of the function.
    private static func names(in object: String, behind start: String) throws -> Set<String> {
        let text = FieldSchema.syncFunction
        let begin = try #require(text.firstRange(of: start))
        let rest = text[begin.upperBound...]
        let sign = object.hasPrefix("var ") ? "\(object) = {" : "\n        \(object): {"
        let open = try #require(rest.firstRange(of: sign))
        let body = rest[open.upperBound...].prefix { $0 != "}" }
        return Set(body.matches(of: /"?([@\w]+)"?:\s/).map { String($0.output.1) })
    }
}

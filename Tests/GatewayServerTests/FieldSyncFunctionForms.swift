import DocumentValues
import Testing

/// Forms of schema 2: a document for each version of the questions, and one that names the versions.
extension FieldSyncFunctionTests {
    private static let version =
        #""schema":2,"form":"well","version":"1","title":{"en":"Well"},"nodes":[{"name":"a","type":"text"}],"digest":"d""#
    private static let head =
        #""schema":2,"form":"well","current":"1","state":"open","title":"Well","versions":["1"]"#

    static let forms = [
        Row("a version by the office", office, record("form", version, in: "!")),
        Row("a head by the office", office, record("form", head, in: "!")),
        Row(
            "a head that names a new version", office,
            record("form", head.replacing(#"["1"]"#, with: #"["1","2"]"#), in: "!"), over: record("form", head, in: "!")
        ),
        Row("a version by an inspector", ann, record("form", version), refused: "only the office writes forms"),
        Row(
            "a version without a title", office,
            record("form", version.replacing(#""title":{"en":"Well"},"#, with: ""), in: "!"), refused: "has no title"),
        Row(
            "a version whose questions are no objects", office,
            record("form", version.replacing(#"[{"name":"a","type":"text"}]"#, with: "[1]"), in: "!"),
            refused: "the record's nodes is not"),
        Row(
            "a head in an unknown state", office,
            record("form", head.replacing("open", with: "ajar"), in: "!"), refused: "the record's state is not"),
        Row(
            "a form of a later schema", office,
            record("form", version.replacing(#""schema":2"#, with: #""schema":3"#), in: "!"),
            refused: "the record's schema is not"),
        Row(
            "a site of schema 2", office,
            record("site", #""schema":2,"name":"Mill""#), refused: "the record's schema is not"),
    ]
    @Test(arguments: forms) func decidesAboutForms(row: Row) async throws { try await decide(row, on: row.named) }
}

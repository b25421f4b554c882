import DocumentValues
import FieldModels
import FieldRecords
import Testing

@Suite(.timeLimit(.minutes(1))) struct RecordSearchTests {
    /// What Foundation looks for in such a text takes the square of the marks: hours.
    @Test func aTextOfMarksHoldsNobodyUp() throws {
        let temporary = try TemporaryField()
        let marks = String(repeating: "\u{301}\u{316}", count: 200_000)
        var site = Site(id: "site-1", name: "Mill" + marks, address: Address(), district: .unknown)
        site.notes = marks + " and behind it much that is to be read, more than fits a line of any terminal: the wheel"
        try temporary.field.sites.add(site, by: temporary.author)
        let found = try RecordSearch("wheel").run(in: temporary.field)
        #expect(found.count == 1)
        #expect(found.first?.excerpt.hasSuffix("the wheel") == true)
        #expect(try RecordSearch("mill").run(in: temporary.field).count == 1)
    }
}

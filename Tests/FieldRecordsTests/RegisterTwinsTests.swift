import FieldModels
import Foundation
import Testing

@testable import FieldRecords

/// Rows of a register that have one id.
@Suite struct RegisterTwinsTests {
    private static let header = "business_id,name,address,city,state,postal_code,district\n"

    private func ids(
        _ rows: [String], here: [String: String] = [:], taken: Set<String> = []
    ) -> [String?] {
        // `a:Mill` is a row and the name in it.
        func parts(_ text: String) -> (digest: String, name: String) {
            let parts = text.split(separator: ":").map(String.init)
            return (parts[0], parts.count > 1 ? parts[1] : "name of \(text)")
        }
        var twins = RegisterTwins(
            rows.map { RegisterTwins.Row(id: "s", digest: parts($0).digest, name: parts($0).name) },
            isTaken: taken.contains
        ) { id in here[id].map { RegisterTwins.Known(digest: parts($0).digest, name: parts($0).name) } }
        return rows.map { _ in twins.next("s") }
    }

    @Test func eachRowKeepsItsSite() {
        #expect(ids(["a"]) == [nil])
        #expect(ids(["a", "b", "c"]) == ["s", "s-2", "s-3"])
        let here = ["s": "a", "s-2": "b", "s-3": "c"]
        #expect(ids(["a", "b", "c"], here: here) == ["s", "s-2", "s-3"])
        #expect(ids(["c", "b", "a"], here: here) == ["s-3", "s-2", "s"])
        // A changed row at any index of the new file.
        #expect(ids(["x", "a", "c"], here: here) == ["s-2", "s", "s-3"])
        #expect(ids(["c", "x", "a"], here: here) == ["s-3", "s-2", "s"])
        // One row was removed, and one is new.
        #expect(ids(["c", "b"], here: here) == ["s-3", "s-2"])
        #expect(ids(["new", "c", "a", "b"], here: here) == ["s-4", "s-3", "s", "s-2"])
        // Equal rows, and ids of an earlier file.
        #expect(ids(["a", "a"], here: ["s": "a", "s-2": "a"]) == ["s", "s-2"])
        #expect(ids(["a", "b"], taken: ["s", "s-2"]) == ["s-3", "s-4"])
    }

    /// A row that is left over keeps its site, and the other site stays as it is.
    @Test func aRowThatIsLeftKeepsItsSite() {
        #expect(ids(["a"], here: ["s": "a"]) == [nil])
        #expect(ids(["b"], here: ["s": "a", "s-2": "b"]) == ["s-2"])
        #expect(ids(["a"], here: ["s": "a", "s-2": "b"]) == ["s"])
        // The row was changed, too: the name decides.
        #expect(ids(["x:Barn"], here: ["s": "a:Mill", "s-2": "b:Barn"]) == ["s-2"])
        #expect(ids(["x:Mill"], here: ["s": "a:Mill", "s-2": "b:Barn"]) == ["s"])
        #expect(ids(["x:Barn", "y:Mill"], here: ["s": "a:Mill", "s-2": "b:Barn", "s-3": "c:Quay"]) == ["s-2", "s"])
    }

    /// The inspections of a site stay its own, however the next register is sorted.
    @Test func anotherOrderSwapsNoSites() throws {
        let temporary = try TemporaryField()
        let rows = ["d1,First,1 Quay,Amble,NE,12345,harbour", "d1,Second,2 Quay,Amble,NE,12345,mill"]
        func take(_ rows: [String]) throws {
            let file = try temporary.file("sites.csv", Self.header + rows.joined(separator: "\n"))
            _ = try RecordImport(into: temporary.field, by: temporary.author).run([file])
        }
        func names() throws -> [String?] {
            try ["site-d1", "site-d1-2", "site-d1-3"].map { try temporary.field.sites.find($0)?.name }
        }
        try take(rows)
        #expect(try names() == ["First", "Second", nil])
        try take(rows.reversed())
        #expect(try names() == ["First", "Second", nil])
        // One is corrected, in the other order.
        try take([rows[1].replacing("Second", with: "Third"), rows[0]])
        #expect(try names() == ["First", "Third", nil])
        #expect(try temporary.field.sites.find("site-d1-2")?.district?.code == "mill")
    }

    @Test func whatIsGoneFromTheRegisterStays() throws {
        let temporary = try TemporaryField()
        let rows = ["d1,Mill,1 Quay,Amble,NE,12345,harbour", "d1,Barn,2 Quay,Amble,NE,12345,mill"]
        for lines in [rows, [rows[1]]] {
            let file = try temporary.file("sites.csv", Self.header + lines.joined(separator: "\n"))
            _ = try RecordImport(into: temporary.field, by: temporary.author).run([file])
        }
        let names = try ["site-d1", "site-d1-2"].map { try temporary.field.sites.find($0)?.name }
        #expect(names == ["Mill", "Barn"])
        // Visits of a number belong to the sites that the register has under it.
        let sites = try temporary.file("sites.csv", Self.header + rows[1])
        let visits = try temporary.file("inspections.csv", "business_id,score,date,type\nd1,80,2026-03-04,routine\n")
        _ = try RecordImport(into: temporary.field, by: temporary.author).run([sites, visits])
        #expect(try temporary.field.inspections.all().records.map(\.site) == ["site-d1-2"])
    }
}

import FieldModels
import Foundation
import Testing

@testable import FieldRecords

/// Rows of a register that have one id.
@Suite struct SiteTwinsTests {
    private static let header = "business_id,name,address,city,state,postal_code,district\n"

    private func ids(
        _ rows: [String], here: [String: String] = [:], taken: Set<String> = []
    ) -> [String?] {
        var twins = SiteTwins(rows.map { (id: "s", digest: $0) }, isTaken: taken.contains, digest: { here[$0] })
        return rows.map { _ in twins.next("s") }
    }

    @Test func eachRowKeepsItsSite() {
        #expect(ids(["a"]) == [nil])
        #expect(ids(["a", "b", "c"]) == ["s", "s-2", "s-3"])
        let here = ["s": "a", "s-2": "b", "s-3": "c"]
        #expect(ids(["a", "b", "c"], here: here) == ["s", "s-2", "s-3"])
        #expect(ids(["c", "b", "a"], here: here) == ["s-3", "s-2", "s"])
        // A row that was changed, wherever it is by now.
        #expect(ids(["x", "a", "c"], here: here) == ["s-2", "s", "s-3"])
        #expect(ids(["c", "x", "a"], here: here) == ["s-3", "s-2", "s"])
        // One that is gone, and one that is new.
        #expect(ids(["c", "b"], here: here) == ["s-3", "s-2"])
        #expect(ids(["new", "c", "a", "b"], here: here) == ["s-4", "s-3", "s", "s-2"])
        // Equal rows, and ids of an earlier file.
        #expect(ids(["a", "a"], here: ["s": "a", "s-2": "a"]) == ["s", "s-2"])
        #expect(ids(["a", "b"], taken: ["s", "s-2"]) == ["s-3", "s-4"])
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
}

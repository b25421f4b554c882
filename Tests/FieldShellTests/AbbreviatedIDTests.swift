import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// Which beginnings of an id mean a record.
@Suite struct AbbreviatedIDTests {
    @Test(arguments: [
        ("site-100", "site-1001", false), ("site-10", "site-1001", false), ("site-1001", "site-1001", false),
        ("site-", "site-1001", true), ("inspection-100", "inspection-100-2026-03-04", true),
        ("inspection-100-2026-03", "inspection-100-2026-03-04", true), ("2a9", "2a93kd", true),
        ("site-2a9", "site-2a93kd", true), ("9", "93kd", false), ("x", "site-1", false),
    ])
    func aBeginningEndsWithinNoNumber(beginning: String, id: String, isAbbreviation: Bool) {
        #expect(IDBeginning(beginning).abbreviates(id) == isAbbreviation)
    }

    private static let ids = ["site-100", "site-1001", "inspection-2a93kd", "inspection-2a94"]

    @Test(arguments: [
        ("site-100", "site-100"), ("100", "site-100"), ("1001", "site-1001"), ("10", "none"),
        ("2a93", "inspection-2a93kd"),
        ("2a9", "2"), ("", "none"), ("x", "none"),
    ])
    func anItemIsNamedByItsIDOrABeginningOfIt(text: String, expected: String) {
        let named = NamedItem(text, among: Self.ids) { id in
            (whole: id, short: String(id.drop { $0 != "-" }.dropFirst()))
        }
        switch named {
        case .none: #expect(expected == "none")
        case .one(let id): #expect(id == expected)
        case .several(let count): #expect("\(count)" == expected)
        }
    }

    /// A register has numbers for ids, of which one is often the beginning of another.
    @Test func aDeletedRecordIsNotTakenForAnother() async throws {
        let shell = try Shell()
        for (id, name) in [("site-100", "Alpha"), ("site-1001", "Beta")] {
            try shell.field.sites.add(
                Site(id: id, name: name, address: Address(), district: try #require(District("hill"))),
                by: shell.session.author())
        }
        let deleted = try await shell.type("delete site-100 --yes", "delete site-100 --yes", "edit site-100 name=Other")
        #expect(deleted.contains("Deleted the site Alpha"), "\(deleted)")
        #expect(try shell.field.sites.find("site-100") == nil)
        #expect(try shell.field.sites.find("site-1001")?.name == "Beta")
        #expect(deleted.components(separatedBy: "No record has the id 'site-100'").count == 3, "\(deleted)")
    }

    /// A discarded record is gone: the name of one record must not discard another.
    @Test func aRefusedRecordIsNotTakenForAnother() async throws {
        let shell = try Shell()
        try shell.field.sites.add(
            Site(id: "site-1001", name: "Beta", address: Address(), district: try #require(District("hill"))),
            by: shell.session.author())
        try shell.refuse(.site, "site-1001", "the record's phone is not what laptops can read")
        let answer = try await shell.type("outbox discard site-100 --yes")
        #expect(answer.contains("There is no number 'site-100' in the outbox"), "\(answer)")
        #expect(try shell.field.outbox.all().map(\.documentID) == ["site-1001"])
        #expect(try shell.field.sites.find("site-1001")?.name == "Beta")
    }

    /// Numbers that do not fit sort before those that do, and are more than are offered to choose from.
    @Test func whatFitsIsFoundBehindManyNumbers() async throws {
        let shell = try Shell()
        for id in (100...140).map({ "site-\($0)" }) + ["site-10a"] {
            try shell.field.sites.add(
                Site(id: id, name: "Stall of \(id)", address: Address(), district: .unknown),
                by: shell.session.author())
        }
        let shown = try await shell.type("show site-10")
        #expect(shown.contains("Stall of site-10a"), "\(shown)")
    }
}

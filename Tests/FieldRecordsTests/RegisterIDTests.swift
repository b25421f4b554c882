import DocumentStore
import DocumentValues
import FieldModels
import Foundation
import Glibc
import Testing

@testable import FieldRecords

/// The ids of the records that the rows of registers become.
@Suite struct RegisterIDTests {
    @Test(arguments: ["4711", "a1-b2", "2019-0012", "1", "x1", "12-03"]) func aPlainIDStaysAsItIs(id: String) {
        #expect(RegisterID.part(of: id) == id)
    }

    /// Each of these has the letters of another one, or looks like an id that is made of another one.
    @Test func noTwoSayTheSame() {
        let ids = [
            "4711", "Ж4711", "№4711", "北京4711", "4711-", "-4711", "４７１１", "12/3", "12-3", "12.3", "12 3", "12--3", "ab",
            "AB",
            "Ab", "é", "e\u{301}", "e", "", " ", "../../etc", "etc", "site-4711-2", "4711-2", "4711-10", "Ж", "ж", "☃",
            RegisterID.part(of: "12/3"), RegisterID.part(of: "12/3") + "-2",
            RegisterID.part(of: RegisterID.part(of: "12/3")),
            String(repeating: "1", count: 300), String(repeating: "1", count: 301),
        ]
        let parts = ids.map { Name(RegisterID.part(of: $0)) }
        #expect(Set(parts).count == ids.count)
        // A number that occurs twice in one file gets `-2` at its end.
        let twice = parts.map { Name("\($0)-2") }
        #expect(Set(parts).isDisjoint(with: twice))
        for part in parts {
            #expect(part.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && part.text.utf8.count < 100)
        }
    }

    private static let head = "business_id,name,address,city,state,postal_code,district\n"

    private func site(_ field: FieldDatabase, _ name: String) throws -> Site? {
        try field.sites.all().records.first { $0.name == name }
    }

    @Test(arguments: ["Ж4711", "47-11", "47 11", "４７１１"]) func noRegisterReplacesSitesOfAnother(number: String) throws {
        let temporary = try TemporaryField()
        let one = try temporary.file(
            "one.csv", Self.head + "4711,Bakery,Street,City,,,harbour\n47/11,Inn,,,,,harbour\n")
        let two = try temporary.file("two.csv", Self.head + "\(number),Pharmacy,Other street,City,,,mill\n")
        let visits = try temporary.file("visits.csv", "business_id,score,date,type\n\(number),80,2026-03-04,routine\n")
        _ = try RecordImport(into: temporary.field, by: temporary.author).run([one])
        let report = try RecordImport(into: temporary.field, by: temporary.author).run([two])
        #expect(report.counts[0].added == 1 && report.notes.isEmpty)
        #expect(try temporary.field.sites.all().records.count == 3)
        #expect(try site(temporary.field, "Bakery")?.id == "site-4711")
        let visited = try RecordImport(into: temporary.field, by: temporary.author).run([visits])
        #expect(visited.counts[0].added == 1)
        let pharmacy = try #require(try site(temporary.field, "Pharmacy"))
        let visit = try #require(try temporary.field.inspections.all().records.first)
        #expect(visit.site.isExactly(pharmacy.id) && visit.district?.code == "mill")
        let again = try RecordImport(into: temporary.field, by: temporary.author).run([two, one])
        #expect(again.counts.map(\.unchanged) == [1, 2])
    }

    /// A pipe or a folder with the name of a table does not stop the import.
    @Test func whatIsNoFileInAFolderIsPassedOver() throws {
        let temporary = try TemporaryField()
        let folder = temporary.path("tables")
        _ = try temporary.file("tables/sites.csv", Self.head + "1,Bakery,,,,,harbour\n")
        #expect(mkfifo(folder + "/inspections.csv", 0o600) == 0)
        try FileManager.default.createDirectory(atPath: folder + "/findings.csv", withIntermediateDirectories: true)
        let report = try RecordImport(into: temporary.field, by: temporary.author).run([folder])
        #expect(report.counts.map(\.added) == [1])
        #expect(report.notes.map(\.file) == ["findings.csv", "inspections.csv"])
        #expect(report.notes.allSatisfy { $0.kind == .fileIgnored && $0.what.contains("it is no file") })
    }

    @Test func anIDWithoutPlainLettersIsOne() throws {
        let temporary = try TemporaryField()
        let file = try temporary.file("sites.csv", Self.head + "é,Café,,,,,harbour\n北京,Tea,,,,,harbour\n")
        let report = try RecordImport(into: temporary.field, by: temporary.author).run([file])
        #expect(report.leftOut == 0 && report.counts[0].added == 2)
    }
}

/// Districts that a register names, and that no user has.
@Suite struct ImportedDistrictTests {
    @Test func districtsInWhichTheGatewayHasNothingAreNamed() throws {
        let temporary = try TemporaryField()
        let head = "business_id,name,address,city,state,postal_code,district\n"
        func run(_ rows: String) throws -> [String] {
            let file = try temporary.file("sites.csv", head + rows)
            return try RecordImport(into: temporary.field, by: temporary.author).run([file]).strayDistricts
        }
        #expect(try run("1,Bakery,,,,,harbour\n").isEmpty, "nothing was sent yet")
        let store = try ReplicationStore(database: temporary.field.database, remote: "wss://gateway/field")
        let revision = try #require(try store.revision(of: "site-1", in: RecordKind.site.collection)).revision
        try store.markKnownToRemote(
            [AcknowledgedRevision(documentID: "site-1", revision: revision)], in: RecordKind.site.collection)
        #expect(
            try run("2,Inn,,,,,harbour\n3,Mill,,,,,harbuor\n4,Tea,,,,,Harbour\n5,Bar,,,,,\n") == [
                "Harbour", "harbuor", "unknown",
            ])
        #expect(try run("6,Pub,,,,,harbour\n").isEmpty)
    }
}

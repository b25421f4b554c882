import DocumentStore
import DocumentValues
import FieldModels
@testable import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// Records that others deleted in a district that is later taken away.
@Suite struct RevokedDeletionTests {
    private static let secret = "the code of the door is 4711"

    /// An inspection of the site's district, which came here and was then deleted elsewhere.
    private func shell() async throws -> Shell {
        let shell = try Shell()
        try shell.signIn("mara")
        for site in ["mill", "quay"] { try shell.acknowledge(.site, "site-\(site)") }
        _ = try await shell.type("new inspection mill 'notes=\(Self.secret)' --yes")
        let inspection = try #require(try shell.field.inspections.all().records.first)
        try #require(inspection.notes == Self.secret)
        _ = try await shell.type("edit \(RecordReference.short(inspection.id, kind: .inspection)) score=77")
        try shell.acknowledge(.inspection, inspection.id)
        try shell.deleteElsewhere(.inspection, inspection.id)
        return shell
    }

    /// What a revocation does to the records that are here.
    private func takeSites(_ names: [String], from shell: Shell) throws {
        for name in names { try shell.field.collection(of: .site).purge(id: "site-\(name)") }
    }

    @Test func theyAreKeptAsLongAsTheDistrictIsHere() async throws {
        let shell = try await shell()
        #expect(try shell.field.deletions.forgetRevoked() == 0)
        try takeSites(["mill"], from: shell)
        #expect(try shell.field.deletions.forgetRevoked() == 0)
        #expect(try shell.field.deletions.elsewhere().count == 1)
    }

    @Test func theyLeaveTheDiskWithTheDistrict() async throws {
        let shell = try await shell()
        try #require(try shell.mentions(Self.secret))
        try takeSites(["mill", "quay"], from: shell)
        #expect(try shell.field.deletions.forgetRevoked() == 1)
        #expect(try shell.field.deletions.elsewhere().isEmpty)
        let deleted = try #require(try shell.field.collection(of: .inspection).deletedIDs().first)
        let shown = try await shell.type("show \(deleted.text)", "list --deleted")
        #expect(!shown.contains("4711"), "\(shown)")
        try shell.session.close()
        #expect(try !shell.mentions(Self.secret))
    }

    @Test func onesOwnDeletionLeavesTheLogToo() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        try shell.acknowledge(.site, "site-quay")
        _ = try await shell.type("new inspection mill 'notes=\(Self.secret)' --yes")
        let inspection = try #require(try shell.field.inspections.all().records.first)
        try shell.acknowledge(.inspection, inspection.id)
        let short = RecordReference.short(inspection.id, kind: .inspection)
        _ = try await shell.type("delete \(short) --yes")
        try takeSites(["mill"], from: shell)
        try shell.field.deletions.forgetRevoked()
        #expect(try await shell.type("undo \(short)", "undo").contains("is back"))
        _ = try await shell.type("delete \(short) --yes")
        // Until the gateway has the deletion, it is compared with the deleted version.
        try shell.acknowledge(.inspection, inspection.id)
        #expect(try shell.field.journal.entries().flatMap(\.records).contains { $0.before != nil })
        try takeSites(["quay"], from: shell)
        try shell.field.deletions.forgetRevoked()
        #expect(try shell.field.journal.entries().flatMap(\.records).allSatisfy { $0.before == nil })
        try shell.session.close()
        #expect(try !shell.mentions(Self.secret))
    }

    /// A slip of the finger, corrected at once, is no reason to forget what the record was when it was deleted.
    @Test func whereItWasBeforeDoesNotMatter() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        try shell.acknowledge(.site, "site-quay")
        _ = try await shell.type("new inspection mill notes=text --yes")
        let inspection = try #require(try shell.field.inspections.all().records.first)
        try shell.acknowledge(.inspection, inspection.id)
        let short = RecordReference.short(inspection.id, kind: .inspection)
        let district = try #require(inspection.district?.code)
        _ = try await shell.type(
            "edit \(short) district=orchard --yes", "edit \(short) district=\(district) --yes")
        try shell.acknowledge(.inspection, inspection.id)
        _ = try await shell.type("delete \(short) --yes")
        try shell.acknowledge(.inspection, inspection.id)
        try shell.field.deletions.forgetRevoked()
        #expect(try shell.field.deletions.all().map(\.id) == [inspection.id])
        #expect(try await shell.type("undo \(short)").contains("is back"))
    }

    /// A record of two districts stays with the other one, and says nothing of the one that was taken away.
    @Test func aRecordOfTwoDistrictsKeepsNothing() async throws {
        let shell = try await shell()
        let sites = shell.field.collection(of: .site)
        for (id, channels) in [("site-mill", ["hill", "north"]), ("site-quay", ["north"])] {
            var body = try #require(try sites.document(id: id)?.body)
            body["channels"] = .array(channels.map { .string("district.\($0)") })
            try sites.save(bodies: [(id, body.bytes)])
            try shell.acknowledge(.site, id)
        }
        #expect(try shell.field.deletions.forgetRevoked() == 1)
    }

    /// Nobody knows which of them it came by.
    @Test func aRecordOfTwoDistrictsAloneKeepsBoth() async throws {
        let shell = try await shell()
        let sites = shell.field.collection(of: .site)
        var body = try #require(try sites.document(id: "site-mill")?.body)
        body["channels"] = ["district.hill", "district.north"]
        try sites.save(bodies: [("site-mill", body.bytes)])
        try shell.acknowledge(.site, "site-mill")
        try takeSites(["quay"], from: shell)
        #expect(try shell.field.deletions.forgetRevoked() == 0)
    }

    /// A record that never left the laptop says nothing of what the gateway grants.
    @Test func aRecordOfOnesOwnKeepsNothing() async throws {
        let shell = try await shell()
        _ = try await shell.type("new inspection mill --yes")
        try takeSites(["mill", "quay"], from: shell)
        #expect(try shell.field.deletions.forgetRevoked() == 1)
    }

    /// What was typed on this laptop, and is refused or not sent yet, shows no grant; what it was typed over does.
    @Test(arguments: [(sent: "north", typed: "hill", forgotten: 1), (sent: "hill", typed: "north", forgotten: 0)])
    func aMoveThatWasNotSentShowsNoDistrict(sent: String, typed: String, forgotten: Int) async throws {
        let shell = try await shell()
        let sites = shell.field.collection(of: .site)
        var body = try #require(try sites.document(id: "site-quay")?.body)
        body["channels"] = [.string("district.\(sent)")]
        try sites.save(bodies: [("site-quay", body.bytes)])
        try shell.acknowledge(.site, "site-quay")
        body["channels"] = [.string("district.\(typed)")]
        try sites.save(bodies: [("site-quay", body.bytes)])
        try takeSites(["mill"], from: shell)
        #expect(try shell.field.deletions.forgetRevoked() == forgotten)
    }

    @Test func aRecordAsLargeAsADocumentEndsNoSync() async throws {
        let shell = try await shell()
        let sites = shell.field.collection(of: .site)
        var body = try #require(try sites.document(id: "site-mill")?.body)
        body["x"] = ""
        body["x"] = .string(String(repeating: "x", count: StoreLimits.documentBody - body.bytes.count))
        try sites.save(bodies: [("site-mill", body.bytes)])
        try shell.field.deletions.keep(.site, ids: ["site-mill", "site-quay"])
        #expect(
            try shell.field.deletions.pages.kept().map(\.record.id).filter { $0.hasPrefix("site") } == ["site-quay"])
    }

    /// No form asks for such values, but a user who may write a record can add them.
    @Test func aRecordAtTheLimitOfDepthEndsNoSync() async throws {
        let shell = try await shell()
        let collection = shell.field.collection(of: .site)
        let document = try #require(try collection.document(id: "site-mill")?.toMutable())
        let levels = JSONLimits.depth - 1
        let deep = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        var body = document.body
        body["deep"] = try JSONValue(parsing: Array(deep.utf8))
        try collection.save(bodies: [("site-mill", body.bytes)])
        try shell.field.deletions.keep(.site, ids: ["site-mill", "site-quay"])
        let kept = try shell.field.deletions.pages.kept().map(\.record).filter { $0.kind == .site }
        #expect(kept.map(\.title) == ["Old mill", "Quay café"])
        #expect(kept.first?.body["name"] == "Old mill" && kept.first?.body["deep"] == nil)
    }
}

extension Shell {
    /// Whether a text is anywhere in the folder, as it is on the disk.
    fileprivate func mentions(_ text: String) throws -> Bool {
        let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        for case let file as URL in files ?? FileManager.DirectoryEnumerator() where !file.hasDirectoryPath {
            if try Data(contentsOf: file).range(of: Data(text.utf8)) != nil { return true }
        }
        return false
    }
}

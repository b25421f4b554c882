import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// The district of a new site: a site in one that the gateway does not take is refused with all that is made of it.
@Suite struct NewSiteTests {
    private func add(_ id: String, in district: String, by name: String, at second: Int64, to shell: Shell) throws {
        let author = Author(name: name, moment: Timestamp(secondsSince1970: second))
        let code = try #require(District(district))
        try shell.field.sites.add(Site(id: id, name: id, address: Address(), district: code), by: author)
        try shell.acknowledge(.site, id)
    }

    private func shell(districts: [String]) throws -> Shell {
        let shell = try Shell()
        try shell.signIn("mara")
        for (number, district) in districts.enumerated() {
            try add("site-\(number)", in: district, by: "ines", at: 1_772_000_000 + Int64(number), to: shell)
        }
        return shell
    }

    private func kiosk(_ shell: Shell) throws -> Site? {
        try shell.field.sites.all().records.first { $0.name == "Kiosk" }
    }

    @Test(arguments: ["2", "shore"]) func knownOnesAreOffered(answer: String) async throws {
        let shell = try shell(districts: ["hill", "shore"])
        let transcript = try await shell.type("new site", "Kiosk", "", answer, ".")
        #expect(
            transcript.contains("Districts known here, by number; another one by its code:\n  1 hill\n  2 shore\n"),
            "\(transcript)")
        #expect(transcript.contains("District: \nDistrict is needed."), "\(transcript)")
        #expect(!transcript.contains("unknown"), "\(transcript)")
        #expect(try kiosk(shell)?.district?.code == "shore" && kiosk(shell)?.channels == ["district.shore"])
    }

    /// Inspections would be spread over both.
    @Test func aSiteThatIsThereAlreadyIsNamed() async throws {
        let shell = try Shell()
        let transcript = try await shell.type(
            "new site 'Old mill' district=hill --yes", "new site 'Old mill' district=shore --yes", width: 200)
        let note = "Old mill is there already, as mill. If it is the same one: delete "
        #expect(transcript.components(separatedBy: note).count == 2, "\(transcript)")
    }

    /// A number is a code then, also of a district that is not known here.
    @Test func numbersThatAreCodesAreNoRows() async throws {
        let shell = try shell(districts: ["10", "12", "14"])
        let transcript = try await shell.type("new site", "Kiosk", "", "2", "y", ".")
        #expect(
            transcript.contains("Districts known here; type the code of one:\n  10\n  12\n  14\n"), "\(transcript)")
        #expect(try kiosk(shell)?.district?.code == "2")
    }

    /// A sync beside the shell would send it without one.
    @Test(arguments: [false, true]) func nothingIsSavedBefore(stops: Bool) async throws {
        let shell = try shell(districts: ["hill", "shore"])
        let transcript =
            try await stops ? shell.type("new site", "Kiosk", ".") : shell.type("new site", "Kiosk")
        #expect(transcript.contains("Nothing was saved"), "\(transcript)")
        #expect(try kiosk(shell) == nil)
    }

    @Test func theOnlyOneIsPreset() async throws {
        let shell = try shell(districts: ["shore"])
        let transcript = try await shell.type("new site", "Kiosk", "", ".")
        #expect(transcript.contains("District [shore]: "), "\(transcript)")
        #expect(try kiosk(shell)?.district?.code == "shore")
    }

    @Test func theLastOfOnesOwnIsPreset() async throws {
        let shell = try shell(districts: ["hill", "shore"])
        try add("site-9", in: "hill", by: "mara", at: 1_772_000_010, to: shell)
        try add("site-10", in: "shore", by: "ines", at: 1_772_000_020, to: shell)
        let transcript = try await shell.type("new site", "Kiosk", "", ".")
        #expect(transcript.contains("District [hill]: "), "\(transcript)")
    }

    @Test(arguments: [
        ("new site Kiosk --yes", "Its district is 'unknown', which a gateway refuses. Known here: hill, shore."),
        ("new site Kiosk district=pier --yes", "No record here that a gateway has is in the district 'pier'"),
    ])
    func whatTheGatewayMayRefuseIsSaid(line: String, text: String) async throws {
        let shell = try shell(districts: ["hill", "shore"])
        let transcript = try await shell.type(line, width: 400)
        #expect(transcript.contains(text), "\(transcript)")
        let site = try #require(try kiosk(shell))
        let way = "edit \(RecordReference.short(site.id, kind: .site)) district=CODE"
        #expect(transcript.contains(way), "\(transcript)")
    }

    @Test func aKnownDistrictIsSavedWithoutAWord() async throws {
        let shell = try shell(districts: ["hill", "shore"])
        let transcript = try await shell.type("new site Kiosk district=shore --yes")
        #expect(transcript.contains("Saved the site Kiosk.\n"))
        #expect(!transcript.contains("district=CODE"), "\(transcript)")
    }

    @Test func anAnswerMayBeginWithAColon() async throws {
        let shell = try shell(districts: ["shore"])
        let transcript = try await shell.type("new site", "Kiosk", "", ":all fine", "?", "::all fine", ".", width: 200)
        #expect(
            transcript.contains(
                "There is no ':all fine' here. A text that begins with : is typed with one more: ::so. Explained by: ?"),
            "\(transcript)")
        #expect(transcript.contains("  A text that begins with : is typed with one more: ::so.\n"), "\(transcript)")
        #expect(try kiosk(shell)?.address.street == ":all fine")
    }
}

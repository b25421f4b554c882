import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// Records that are looked up by a text, or by the number of a row.
@Suite struct LookUpTests {
    @Test func textIsFoundWithoutItsAccents() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        let transcript = try await shell.type(
            "new inspection quay notes=\"Kühlraum zu warm\" --yes", "find kuhlraum", "show 1", "find cafe",
            "find nowhere")
        #expect(transcript.contains("Inspections\n#  ID"))
        #expect(transcript.contains("Kühlraum zu warm"))
        #expect(transcript.contains("Quay café, 2026-03-04"))
        #expect(transcript.contains("Sites\n"))
        #expect(transcript.contains("'nowhere' is found nowhere."))
    }

    @Test func aNumberIsNeverAnID() async throws {
        let shell = try Shell()
        let author = Author(name: nil, moment: Timestamp(secondsSince1970: 0))
        for number in [1, 2, 10, 100] {
            try shell.field.sites.add(
                Site(id: "site-\(number)", name: "Stall \(number)", address: Address(), district: .unknown), by: author)
        }
        let first = try await shell.type("show 10")
        #expect(
            first.contains("No list was shown yet that could have a number '10'.")
                && first.contains("The record with this id: site-10."), "it may be the number of a list of yesterday")
        let transcript = try await shell.type("sites stall", "show 3", "show 10", "show site-2", "start 1")
        #expect(transcript.contains("1  site-1    Stall 1 "))
        #expect(transcript.contains("4  site-100  Stall 100"), "by their value, not as text")
        #expect(
            transcript.contains(
                "There is no number '10' in the last list; it has 4 rows. The record with this id: site-10."))
        #expect(transcript.contains("Stall 2\n"))
        #expect(transcript.contains("1 is a site; an assignment is needed here."))
    }
}

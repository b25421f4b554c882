import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// Sessions as they are typed: lines in, the whole conversation out.
@Suite struct ShellScenarioTests {
    @Test func aWorkerInspectsAKitchen() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        let transcript = try await shell.type(
            "sites mill", "new inspection 1", "", "2", "4,5", "y", "y", "2", "", "88", "two doors", "No thermometer",
            "2",
            "", "submit 2", "show 2")
        #expect(
            try shell.withoutIDs(transcript) == """
                fieldbook> sites mill
                #  ID    SITE      ADDRESS  DISTRICT  LAST VISIT
                1  mill  Old mill           hill      never
                fieldbook> new inspection 1
                Old mill, form Kitchen
                Enter skips, < goes back, ? explains, . stops; Ctrl-C keeps what you have.
                Date [2026-03-04]: 
                Visit
                  1 routine
                  2 complaint
                  3 follow-up
                  4 opening
                Number [1]: 2
                Fridge °C, -5 to 12: 4,5
                Basin, y or n: y
                Pests, y or n: y
                Which
                  1 mice
                  2 moths
                Number: 2
                Score, 0 to 100: 
                Notes: 88
                Finding (Enter: no more): two doors
                Risk
                  1 low
                  2 moderate
                  3 high
                Number: No thermometer
                Risk must be one of 1 low, 2 moderate, 3 high, not 'No thermometer'.
                Number: 2
                Finding (Enter: no more): 
                Saved draft ID for Old mill with 1 finding.
                Next: attach 2 FILE, submit 2
                fieldbook (1 draft)> submit 2
                Submitted ID, Old mill, 2026-03-04 complaint.
                fieldbook> show 2
                Old mill, 2026-03-04
                  Visit       complaint
                  Status      submitted
                  Inspector   mara
                  Form        Kitchen
                  Fridge °C   4.5
                  Basin       yes
                  Pests       yes
                  Which       moths
                  Notes       88
                  Submitted   11:15 today
                  District    hill
                  Created by  mara
                  Changed by  mara
                  Changed     11:15 today
                  Id          ID
                  Findings
                    two doors, moderate risk
                fieldbook> 

                """)
    }

    @Test func editingByNumbers() async throws {
        let shell = try Shell()
        let transcript = try await shell.type(
            "sites", "edit 2", "7", "123", "", "edit quay phone=456 notes=\"side door\"", "edit quay district='a b'")
        let site = try #require(try shell.field.sites.find("site-quay"))
        #expect(site.phone == "456" && site.notes == "side door")
        #expect(transcript.contains("Change number (Enter: done, ?: list): 7\nTelephone: 123\n"))
        #expect(transcript.contains("district may have letters, digits, '-' and '_' only"))
    }

    /// The same signs as at other questions.
    @Test func editingByNumbersKnowsTheSigns() async throws {
        let shell = try Shell()
        let transcript = try await shell.type(
            "sites", "edit 2", ":all", ":go phone", "123", "Notes", ":go name", ":all", "Pier café", "-", "<")
        let site = try #require(try shell.field.sites.find("site-quay"))
        #expect(site.phone == "123" && site.notes == nil && site.name == "Pier café")
        #expect(transcript.components(separatedBy: "1 Name: Quay café").count == 4, "\(transcript)")
        #expect(transcript.contains("done, ?: list): -\nA number from 1 to 8, please.\n"), "\(transcript)")
    }

    /// Such as a variable of a script that is not set.
    @Test func anEmptyNameIsNobodys() async throws {
        let shell = try Shell()
        let transcript = try await shell.type("delete quay --yes", "delete '' --yes", "edit '' name=x", "show ''")
        #expect(shell.field.sites.count == 1)
        #expect(try shell.field.sites.find("site-mill")?.name == "Old mill")
        #expect(transcript.components(separatedBy: "has the id ''").count == 4, "\(transcript)")
    }

    /// An inspection that another program has sent without a site.
    @Test func aDamagedInspectionIsDeleted() async throws {
        let shell = try Shell()
        try shell.field.collection(of: .inspection).save(
            bodies: [("inspection-k3m9x2pq7a", Array(#"{"type":"inspection","status":"draft"}"#.utf8))])
        let transcript = try await shell.type("delete inspection-k3m9x2pq7a --yes")
        #expect(transcript.contains("Deleted"), "\(transcript)")
        #expect(shell.field.inspections.count == 0)
    }

    @Test func deletingAsksFirst() async throws {
        let shell = try Shell()
        let transcript = try await shell.type(
            "new inspection mill --finding Dust --yes", "delete 1", "n", "delete 1", "y", "delete mill", "y")
        #expect(transcript.contains("Nothing was deleted."))
        #expect(transcript.contains("Deleted the inspection of Old mill, 2026-03-04 routine, draft, with 1 finding."))
        #expect(transcript.contains("Deleted the site Old mill."))
        #expect(shell.field.inspections.count == 0 && shell.field.findings.count == 0)
    }

    @Test func severalMatchesAreOffered() async throws {
        let shell = try Shell()
        let transcript = try await shell.type("show quai", "show 9", "new inspection site-", "2", ".")
        #expect(transcript.contains("No record has the id 'quai'."))
        #expect(transcript.contains("No list was shown yet that could have a number '9'."))
        #expect(
            transcript.contains(
                "'site-' fits several:\n  1 mill  Old mill\n  2 quay  Quay café\nWhich (Enter: none): 2\n"))
    }

    @Test func errorsEndNothing() async throws {
        let shell = try Shell()
        let transcript = try await shell.type(
            "frobnicate", "show", "import /nowhere", "sync", "quarantine show 3", "sites")
        #expect(transcript.contains("There is no command 'frobnicate'."))
        #expect(transcript.contains("/nowhere cannot be read: there is no such file or folder."))
        #expect(transcript.contains("No user has signed in yet. Sign in with: login"))
        #expect(transcript.contains("There is no number '3' in quarantine; it is empty."))
        #expect(transcript.contains("Old mill"))
    }

    @Test func jsonIsWrittenOnDemand() async throws {
        let shell = try Shell()
        let transcript = try await shell.type("sites mill --json")
        #expect(transcript.contains(#"{"_id":"site-mill","type":"site","schema":1,"name":"Old mill","#))
    }
}

import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import FieldSync
import Foundation
import Testing

@testable import FieldShell

/// Edits of records that others have deleted since: they come back as records of the person who brings them back.
@Suite struct RestoredOverDeletionTests {
    /// An inspection of sofia's that mara has edited, and that was taken from her laptop.
    private func takenAway(_ shell: Shell) async throws -> (id: String, short: String) {
        try shell.signIn("sofia")
        _ = try await shell.type("new inspection mill score=60 --finding Dust --yes")
        let id = try #require(try shell.field.inspections.all().records.first).id
        try shell.acknowledge(.inspection, id)
        let short = RecordReference.short(id, kind: .inspection)
        try shell.signIn("mara")
        _ = try await shell.type("edit \(short) score=80")
        try shell.takeAway(.inspection, id)
        return (id, short)
    }

    /// The gateway says that a record is deleted of which nothing is here any more.
    private func tombstone(_ shell: Shell, _ kind: RecordKind, _ id: String) throws -> RevisionID {
        let revision = RevisionID(generation: 9, digest: "ff")
        let pulled = PulledRevision(
            documentID: id, revision: revision, history: RevisionHistory(), isDeleted: true, body: .empty)
        _ = try shell.store().insert([pulled], in: kind.collection)
        return revision
    }

    @Test func itIsTheRecordOfWhoBringsItBack() async throws {
        let shell = try Shell()
        let (id, short) = try await takenAway(shell)
        let deletion = try tombstone(shell, .inspection, id)
        let transcript = try await shell.type("quarantine restore \(short)", width: 300)
        #expect(transcript.contains("Others have deleted it. It is yours from now on"), "\(transcript)")
        let body = try #require(try shell.field.collection(of: .inspection).document(id: id)?.body)
        #expect(body["createdBy"] == "mara" && body["changedBy"] == "mara" && body["score"] == 80)
        #expect(try shell.field.conflicts.conflict(of: .inspection, id)?.deletion != nil)
        let revision = try #require(try shell.store().revision(of: id, in: RecordKind.inspection.collection))
        #expect(revision.remoteRevision == deletion)
    }

    @Test func withoutADeletionItKeepsItsCreator() async throws {
        let shell = try Shell()
        let (id, short) = try await takenAway(shell)
        let transcript = try await shell.type("quarantine show \(short)", "quarantine restore 1", width: 300)
        #expect(transcript.contains("if you still have no access, it comes back into the quarantine"), "\(transcript)")
        #expect(!transcript.contains("deleted"), "\(transcript)")
        #expect(try shell.field.collection(of: .inspection).document(id: id)?.body["createdBy"] == "sofia")
    }

    /// The gateway lets no other user write when a colleague has handed an inspection in.
    @Test(arguments: ["2026-03-04T09:00:00Z", "2026-03-04T12:00:00Z"])
    func overAnotherVersionItIsWhatTheGatewayTakes(moment: String) async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill score=60 --yes")
        let id = try #require(try shell.field.inspections.all().records.first).id
        try shell.acknowledge(.inspection, id)
        var theirs = try #require(try shell.field.collection(of: .inspection).document(id: id)).body
        let base = try #require(try shell.store().revision(of: id, in: RecordKind.inspection.collection)).revision
        let short = RecordReference.short(id, kind: .inspection)
        _ = try await shell.type("edit \(short) score=80", "submit \(short)")
        try shell.takeAway(.inspection, id)
        theirs["status"] = "submitted"
        theirs["submittedAt"] = .string(moment)
        theirs["notes"] = "theirs"
        let pulled = PulledRevision(
            documentID: id, revision: RevisionID(generation: (base.treeRevision?.generation ?? 0) + 1, digest: "ff"),
            history: RevisionHistory([base]), isDeleted: false, body: try DocumentBody(reading: theirs.bytes))
        _ = try shell.store().insert([pulled], in: RecordKind.inspection.collection)
        let transcript = try await shell.type("quarantine restore \(short)", width: 300)
        let body = try #require(try shell.field.collection(of: .inspection).document(id: id)?.body)
        #expect(body["submittedAt"] == .string(moment), "\(transcript)")
        #expect(body["score"] == 80 && body["notes"] == "theirs", "\(body)")
    }

    @Test(arguments: [true, false]) func aFindingWaitsForItsInspection(isKept: Bool) async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill --finding Dust --yes")
        let (inspection, finding) = try (
            #require(try shell.field.inspections.all().records.first).id,
            #require(try shell.field.findings.all().records.first).id
        )
        for (kind, id) in [(RecordKind.inspection, inspection), (.finding, finding)] { try shell.acknowledge(kind, id) }
        let short = RecordReference.short(inspection, kind: .inspection)
        _ = try await shell.type("edit \(RecordReference.short(finding, kind: .finding)) text=Mud")
        try shell.takeAway(.finding, finding)
        if isKept {
            try shell.deleteElsewhere(.inspection, inspection)
        } else {
            try shell.takeAway(.inspection, inspection)
            _ = try tombstone(shell, .inspection, inspection)
        }
        _ = try tombstone(shell, .finding, finding)
        let refused = try await shell.type("quarantine restore 1", width: 300)
        let state =
            isKept ? "deleted. Bring that back first: undo \(short)" : "in quarantine, too. Bring that back first:"
        #expect(refused.contains("is part of the inspection \(short), which is \(state)"), "\(refused)")
        #expect(try shell.field.quarantine.all().count >= 1 && !shell.field.store.isThere(.finding, id: finding))
        guard isKept else { return }
        let back = try await shell.type("undo \(short)", "quarantine restore 1", width: 300)
        #expect(try shell.field.findings.find(finding)?.text == "Mud", "\(back)")
    }
}

/// Versions that the gateway refuses because others have deleted the record.
@Suite struct RefusedOverDeletionTests {
    private static let creator = "the record says that sofia created it, and you are somebody else"

    private func edited(_ shell: Shell) async throws -> String {
        try shell.signIn("sofia")
        _ = try await shell.type("new inspection mill score=60 --yes")
        let id = try #require(try shell.field.inspections.all().records.first).id
        try shell.field.inspections.update(id, by: try shell.session.author()) { $0.status = .returned }
        try shell.acknowledge(.inspection, id)
        try shell.signIn("mara")
        _ = try await shell.type("edit \(RecordReference.short(id, kind: .inspection)) score=80")
        return id
    }

    private func body(_ shell: Shell, _ id: String) throws -> JSONObject? {
        try shell.field.collection(of: .inspection).document(id: id)?.body
    }

    @Test func whatNamesAnotherCreatorIsSentAsOnesOwn() async throws {
        let shell = try Shell()
        let id = try await edited(shell)
        try shell.refuse(.inspection, id, Self.creator)
        let transcript = try await shell.type("outbox show 1", "outbox retry 1", "y", "outbox", width: 300)
        #expect(transcript.contains("bring it back as a record of yours: outbox retry 1"), "\(transcript)")
        #expect(transcript.contains("comes back when the laptop of sofia syncs"), "\(transcript)")
        #expect(!transcript.contains("administrator") && !transcript.contains("edit "), "\(transcript)")
        #expect(transcript.contains("The gateway has refused nothing."), "\(transcript)")
        let body = try #require(try body(shell, id))
        #expect(body["createdBy"] == "mara" && body["score"] == 80 && body["status"] == "draft")
        #expect(try shell.field.conflicts.conflict(of: .inspection, id)?.deletion != nil)
    }

    /// After a restore from a backup its creator's laptop sends it again: it is not taken over unasked, and the edit waits.
    @Test(arguments: [("outbox retry all", ""), ("outbox retry 1", "n"), ("outbox", "")])
    func anEditWaitsForTheCreator(command: String, answer: String) async throws {
        let shell = try Shell()
        let id = try await edited(shell)
        try shell.refuse(.inspection, id, Self.creator)
        try shell.field.outbox.settleUnasked(by: shell.session.author())
        let before = try #require(try shell.store().revision(of: id, in: RecordKind.inspection.collection))
        _ = try await shell.type("outbox", command, answer)
        #expect(try body(shell, id)?["createdBy"] == "sofia" && body(shell, id)?["score"] == 80)
        let refused = try #require(try shell.field.outbox.all().first)
        #expect(refused.awaits == .decision && refused.reason.text.contains("is sent once that person has synced"))
        let after = try #require(try shell.store().revision(of: id, in: RecordKind.inspection.collection))
        #expect(before.revision == after.revision && before.remoteRevision == after.remoteRevision)
    }

    /// Laptops that only received a record have nothing to do with it.
    @Test(arguments: [
        (creator, "does not have it any more", "sofia's laptop syncs"),
        (
            "the record says that sofia changed it last, and you are somebody else, as it is here",
            "has another version of it", "sofia's laptop syncs"
        ),
        ("when sofia changed the record does not change", "has another version of it", "sofia's laptop syncs"),
    ])
    func whatWasOnlyReceivedWaitsForItsLaptop(said: String, what: String, whose: String) async throws {
        let shell = try Shell()
        try shell.signIn("sofia")
        _ = try await shell.type("new inspection mill score=60 --yes")
        let id = try #require(try shell.field.inspections.all().records.first).id
        try shell.acknowledge(.inspection, id)
        try shell.signIn("mara")
        try shell.refuse(.inspection, id, said)
        try shell.field.outbox.settleUnasked(by: shell.session.author())
        #expect(try body(shell, id)?["createdBy"] == "sofia" && shell.field.outbox.unsettled().isEmpty)
        let refused = try #require(try shell.field.outbox.all().first)
        #expect(
            refused.awaits == .anotherLaptop && refused.reason.text.contains(what)
                && refused.reason.text.contains(whose))
        let shown = try await shell.type("outbox", "outbox show 1", "today", width: 300)
        #expect(
            shown.contains("Nothing is needed: the next sync of that laptop") && shown.contains("outbox retry 1")
                && !shown.contains("administrator"), "\(shown)")
        var report = SyncReport()
        report.waiting.awaited = 2
        let text = SyncText.lines(report).joined()
        #expect(
            text.contains("2 records of others are not at the gateway as here.")
                && text.contains("you need not do anything")
        )
        let kept = try await shell.type("outbox discard all", width: 300)
        #expect(kept.contains("Nothing in the outbox waits for a decision."), "\(kept)")
        let gone = try await shell.type("outbox discard 1", "y", "outbox", width: 300)
        #expect(gone.contains("Take the") && gone.contains("The next sync brings the gateway's version"), "\(gone)")
        #expect(try body(shell, id) == nil && shell.field.outbox.all().isEmpty)
    }

    /// A gateway that was restored from a backup lacks the approval, and accepts it only from the user who gave it.
    @Test func whatSomebodyElseChangedLastIsSentAsOnesOwn() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill score=60 --yes")
        let id = try #require(try shell.field.inspections.all().records.first).id
        try shell.signIn("ines")
        try shell.field.inspections.update(id, by: try shell.session.author()) { $0.status = .approved }
        try shell.acknowledge(.inspection, id)
        try shell.signIn("mara")
        try shell.refuse(.inspection, id, "the record says that ines changed it last, and you are somebody else")
        try shell.field.outbox.settleUnasked(by: shell.session.author())
        let body = try #require(try body(shell, id))
        #expect(body["createdBy"] == "mara" && body["changedBy"] == "mara" && body["status"] == "submitted")
        #expect(try shell.field.outbox.all().isEmpty)
        let conflict = try #require(try shell.field.conflicts.conflict(of: .inspection, id))
        #expect(conflict.deletion == nil, "nobody has deleted it")
        let open = conflict.fields
        #expect(open.first { $0.path == RecordConflict.status }?.others.map(\.value) == ["approved"])
    }

    /// A second restore, of a later backup: what the gateway has is older than the question that was made of the approval.
    @Test func anApprovalThatIsThereAgainIsFetched() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        _ = try await shell.type("new inspection mill score=60 --yes")
        let id = try #require(try shell.field.inspections.all().records.first).id
        try shell.signIn("ines")
        try shell.field.inspections.update(id, by: try shell.session.author()) { $0.status = .approved }
        try shell.acknowledge(.inspection, id)
        let approved = try #require(try body(shell, id))
        try shell.signIn("mara")
        try shell.refuse(.inspection, id, "the record says that ines changed it last, and you are somebody else")
        try shell.field.outbox.settleUnasked(by: shell.session.author())
        // The gateway has taken that, and was restored once more.
        try shell.acknowledge(.inspection, id)
        try shell.refuse(.inspection, id, "only a supervisor takes an approval back")
        let refused = try #require(try shell.field.outbox.all().first)
        #expect(refused.reason.text.contains("The gateway has it again, approved."), "\(refused.reason)")
        try shell.field.outbox.settleUnasked(by: shell.session.author())
        let offered = try #require(try shell.store().revision(of: id, in: RecordKind.inspection.collection))
        #expect(offered.remoteRevision == nil && offered.history.ancestors.isEmpty)
        #expect(try body(shell, id)?["score"] == 60)
        let pulled = PulledRevision(
            documentID: id, revision: RevisionID(generation: 2, digest: "ff"), history: RevisionHistory(),
            isDeleted: false, body: try DocumentBody(reading: approved.bytes))
        let outcome = try shell.store().insert([pulled], in: RecordKind.inspection.collection)
        guard case .conflict = outcome[0] else { Issue.record("\(outcome)"); return }
    }

    /// After a restore from a backup a laptop brings back the site of a colleague, who has sent it again by then.
    @Test(arguments: [false, true], [false, true])
    func whatTheGatewayHasAgainStaysItsCreators(isEdited: Bool, isRetried: Bool) async throws {
        let shell = try Shell()
        try shell.signIn("sofia")
        _ = try await shell.type("edit mill name='The mill'")
        let site = shell.field.collection(of: .site)
        var made = try #require(try site.document(id: "site-mill")).body
        made["createdBy"] = "sofia"
        try site.save(bodies: [("site-mill", made.bytes)])
        try shell.acknowledge(.site, "site-mill")
        try shell.signIn("mara")
        try shell.refuse(.site, "site-mill", Self.creator)
        _ = try await shell.type("outbox retry 1", "y")
        #expect(try site.document(id: "site-mill")?.body["createdBy"] == "mara")
        if isEdited { _ = try await shell.type("edit mill name='New mill'") }
        try shell.refuse(.site, "site-mill", "who created a record does not change")
        let number = try #require(try shell.field.outbox.all().first).number
        let shown = try await shell.type("outbox show \(number)", width: 300)
        #expect(
            shown.contains("The next sync leaves the record to its creator, and sends the other changes."), "\(shown)")
        if isRetried {
            _ = try await shell.type("outbox retry \(number)")
        } else {
            try shell.field.outbox.settleUnasked(by: shell.session.author())
        }
        let body = try #require(try site.document(id: "site-mill")).body
        #expect(body["createdBy"] == "sofia" && body["name"] == (isEdited ? "New mill" : "The mill"))
        #expect(try shell.field.outbox.all().isEmpty && shell.field.conflicts.all().isEmpty)
        #expect(try site.exchange(of: "site-mill")?.isSent == !isEdited)
    }

    /// A second restore, of a later backup: the laptop takes what it took over for what the gateway has.
    @Test func theGatewaysVersionIsFetchedWhereItIsNotKnown() async throws {
        let shell = try Shell()
        try shell.signIn("mara")
        let site = shell.field.collection(of: .site)
        var taken = try #require(try site.document(id: "site-mill")).body
        taken["createdBy"] = "mara"
        taken["conflicts"] = [["deleted": true]]
        try site.save(bodies: [("site-mill", taken.bytes)])
        try shell.acknowledge(.site, "site-mill")
        try shell.refuse(.site, "site-mill", "who created a record does not change")
        try shell.field.outbox.settleUnasked(by: shell.session.author())
        #expect(try shell.field.outbox.all().isEmpty)
        let offered = try #require(try shell.store().revision(of: "site-mill", in: RecordKind.site.collection))
        #expect(offered.remoteRevision == nil && offered.history.ancestors.isEmpty)
        // The sync fetches it.
        var theirs = taken
        theirs["createdBy"] = "sofia"
        theirs["conflicts"] = nil
        let pulled = PulledRevision(
            documentID: "site-mill", revision: RevisionID(generation: 1, digest: "ff"), history: RevisionHistory(),
            isDeleted: false, body: try DocumentBody(reading: theirs.bytes))
        let outcome = try shell.store().insert([pulled], in: RecordKind.site.collection)
        guard case .conflict = outcome[0] else { Issue.record("\(outcome)"); return }
    }

    /// A record that was never sent is not taken over unasked: another user may have made it on this laptop.
    @Test func whatTheGatewayNeverHadIsNotTakenOver() async throws {
        let shell = try Shell()
        try shell.signIn("sofia")
        _ = try await shell.type("new inspection mill --yes")
        let id = try #require(try shell.field.inspections.all().records.first).id
        try shell.signIn("mara")
        try shell.refuse(.inspection, id, Self.creator)
        try shell.field.outbox.settleUnasked(by: shell.session.author())
        #expect(try body(shell, id)?["createdBy"] == "sofia")
    }

    /// Who has seen its finding, and not it, has made another record under its id, in a district of their own.
    @Test func aNewRecordWhoseIDIsTakenGoesOnUnderAnother() async throws {
        let shell = try Shell()
        _ = try await shell.type("new inspection mill form=kitchen fridge=4 --finding Dust --yes")
        let old = try #require(try shell.field.inspections.all().records.first).id
        let finding = try #require(try shell.field.findings.all().records.first).id
        try shell.acknowledge(.finding, finding)
        let store = try shell.store()
        let collection = RecordKind.inspection.collection
        let revision = try #require(try store.revision(of: old, in: collection))
        try store.recordRejection(of: old, revision: revision.revision, code: 409, reason: "conflict", in: collection)
        let shown = try await shell.type("outbox show 1", "outbox retry all", "outbox retry 1", "n", width: 300)
        #expect(shown.contains("send yours under a new id: outbox retry 1"), "\(shown)")
        #expect(try shell.field.inspections.all().records.map(\.id) == [old])
        let retried = try await shell.type("outbox retry 1", "y", "outbox", width: 300)
        let inspection = try #require(try shell.field.inspections.all().records.first)
        #expect(inspection.id != old && inspection.answers["fridge"] == 4 && shell.field.inspections.count == 1)
        let short = RecordReference.short(inspection.id, kind: .inspection)
        #expect(retried.contains("is \(short) from now on"), "\(retried)")
        #expect(retried.contains("The gateway has refused nothing."), "\(retried)")
        #expect(try shell.field.findings.find(finding)?.inspection == inspection.id)
        #expect(try shell.field.collection(of: .finding).exchange(of: finding)?.isSent == false)
    }

    /// The laptop never hears of the deletion: the edit follows a version that the gateway has no more.
    @Test(arguments: ["y", "n"]) func whatFollowsAnUnknownVersionIsSentAsANewRecord(answer: String) async throws {
        let shell = try Shell()
        let id = try await edited(shell)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).jpg")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("a photo".utf8).write(to: file)
        _ = try await shell.type("attach \(RecordReference.short(id, kind: .inspection)) \(file.path)")
        let store = try shell.store()
        let collection = RecordKind.inspection.collection
        let revision = try #require(try store.revision(of: id, in: collection))
        try store.recordRejection(of: id, revision: revision.revision, code: 409, reason: "conflict", in: collection)
        let all = try await shell.type("outbox", "outbox show 1", "outbox retry all", width: 300)
        #expect(all.contains("it was changed or deleted on another device, too."), "\(all)")
        #expect(all.contains("bring it back as a record of yours: outbox retry 1"), "\(all)")
        #expect(try body(shell, id)?["createdBy"] == "sofia")
        let transcript = try await shell.type("outbox retry 1", answer, width: 300)
        #expect(
            transcript.contains("your version can come back as a record of yours. Send it as that?"), "\(transcript)")
        let now = try #require(try store.revision(of: id, in: collection))
        let body = try #require(try body(shell, id))
        #expect((now.remoteRevision == nil) == (answer == "y"), "\(transcript)")
        #expect(body["createdBy"] == (answer == "y" ? "mara" : "sofia"))
        #expect(body["status"] == (answer == "y" ? "draft" : "returned") && body["score"] == 80)
        let photo = try #require(try shell.field.inspections.find(id)?.photos.first)
        #expect(try store.blobs.isWhole(photo.blob))
    }

    /// An edit that the quarantine gave back, and that the gateway refuses since it has another revision.
    private func refusedAfterRestoring(_ shell: Shell) async throws -> String {
        let id = try await edited(shell)
        try shell.takeAway(.inspection, id)
        _ = try await shell.type("quarantine restore 1", width: 300)
        let (store, collection) = (try shell.store(), RecordKind.inspection.collection)
        let revision = try #require(try store.revision(of: id, in: collection))
        try store.recordRejection(of: id, revision: revision.revision, code: 409, reason: "conflict", in: collection)
        return id
    }

    /// It was moved to a district that mara does not have: one answer sends hers, and nothing of the record is left here.
    @Test(arguments: ["outbox retry 1", "outbox discard 1"])
    func whatWasTakenAwayAndChangedGoesOnUnderANewID(command: String) async throws {
        let shell = try Shell()
        let id = try await refusedAfterRestoring(shell)
        let shown = try await shell.type("outbox show 1", command, "y", "outbox", width: 300)
        #expect(shown.contains("under a new id: outbox retry 1"), "\(shown)")
        #expect(shown.contains("The gateway has refused nothing."), "\(shown)")
        #expect(try body(shell, id) == nil)
        let left = try shell.field.inspections.all().records
        guard command.hasPrefix("outbox retry") else { return #expect(left.isEmpty) }
        let new = try #require(left.first)
        #expect(left.count == 1 && new.score == 80 && new.envelope.createdBy.isExactly("mara") && new.status == .draft)
        #expect(try shell.field.collection(of: .inspection).exchange(of: new.id)?.isKnownToRemotes == false)
    }

    /// A record that others have deleted since comes back under its own id if the user confirms it.
    @Test func whatWasTakenAwayAndDeletedComesBackUnderItsID() async throws {
        let shell = try Shell()
        let id = try await refusedAfterRestoring(shell)
        let transcript = try await shell.type("outbox retry 1", "n", "y", width: 300)
        #expect(try body(shell, id)?["createdBy"] == "mara" && body(shell, id)?["score"] == 80, "\(transcript)")
    }
}

import DocumentValues
import FieldModels
import FieldRecords
import FieldSync
import Foundation
import Testing

@testable import FieldShell

/// What a worker reads in the shell names the commands that are typed there.
@Suite struct AdviceTextTests {
    @Test(arguments: [
        (409, true, "yours can go on under a new id (outbox retry)"),
        (409, false, "it was deleted (outbox retry brings the record back as yours)"),
    ])
    func aRefusalNamesTheOutbox(code: Int, isNew: Bool, end: String) {
        let message = RefusalText.message(
            code: 10_000 + code, reason: "conflict", of: RefusedDetails(isNew: isNew))
        let text = AdviceText.text(message)
        #expect(text.hasSuffix(end), "\(text)")
    }

    @Test(arguments: [
        (
            "only a supervisor moves records of others to other districts",
            "Move it back (edit ... district=hill), or ask one to move it."
        ),
        (
            "only a supervisor hands work to somebody else",
            "Hand it back (edit ... inspector=NAME), or ask one to do it."
        ),
        (
            "only a supervisor says why it is returned",
            "Send the rest: outbox retry takes back what was decided about that, and leaves it to them."
        ),
        ("the record names no channel, so nobody would get it", "Give it a district: edit ... district=CODE."),
        ("the record has more than 20000 values", "take out what they have put in: undo ..., then sync."),
        (
            "the record says that sven created it, and you are somebody else",
            "If it was deleted there, outbox retry brings it back as yours."
        ),
    ])
    func aRefusalNamesItsWay(reason: String, end: String) {
        let text = AdviceText.text(
            RefusalText.message(
                code: 10_403, reason: reason, of: RefusedDetails(oldDistrict: "hill", isFilled: true)))
        #expect(text.hasSuffix(end), "\(text)")
    }

    @Test func aMissingPhotoIsReplaced() {
        let refused = AdviceText.text(
            RefusalText.message(code: 10_500, reason: UnsentAttachment.reason(digest: "sha1-p")))
        #expect(refused.hasSuffix("take the photo out (photo remove) and attach the picture again"), "\(refused)")
        let fetched = AdviceText.text(RefusalText.message(ofFetch: 10_404, reason: ""))
        #expect(
            fetched.contains(
                "can repair that: photo save, photo remove, sync, attach, sync. Or ask your administrator to look into a backup"
            ),
            "\(fetched)")
    }

    @Test(arguments: [
        (SettingsError.Code.noLogin, "No user has signed in yet. Sign in with: "),
        (.passwordUnreadable, "The password kept in /f cannot be read. Sign in again with: "),
    ])
    func aSignInIsTypedWhereItIsRead(code: SettingsError.Code, text: String) {
        let error = SettingsError(code, path: "/f")
        #expect(ErrorText.text(error) == text + "fieldbook login")
        #expect(ErrorText.text(error, spelling: .shell) == text + "login")
        #expect(
            ErrorText.text(error, spelling: .program(folder: "/a b")) == text + #"fieldbook login --folder "/a b""#)
    }

    @Test func aFolderIsMadeOutsideOfTheShell() {
        let error = SettingsError(.noFolder, path: "/f")
        let text = "There is no Fieldbook folder at /f. Make one with: fieldbook init"
        #expect(ErrorText.text(error) == text && ErrorText.text(error, spelling: .shell) == text)
        #expect(ErrorText.text(error, spelling: .program(folder: "/f")) == text + " --folder /f")
        let others = ErrorText.text(SettingsError(.ofAnother("sven"), path: "/f"), spelling: .program(folder: "/f"))
        #expect(
            others.hasSuffix("needs another folder: fieldbook init --folder DIR, then fieldbook login --folder DIR"),
            "\(others)")
    }

    @Test(arguments: [
        (
            RecordActionError.Code.partOfDeleted(inspection: "inspection-1"),
            "Bring the inspection back first: undo inspection-1"
        ),
        (.changedMeanwhile, "Nothing was decided; look again: conflicts"),
        (.siteUndecided, "choose the site: conflicts take finding-2 site=SITE"),
        (.photoMissing("a.jpg"), "from where it was taken or from a laptop that has it (photo save)."),
        (.photoChanged("a.jpg"), "a.jpg was changed since you looked. Look again: photo list"),
    ])
    func whatCannotBeDoneNamesTheWayOut(code: RecordActionError.Code, end: String) {
        let text = ErrorText.text(RecordActionError(code, kind: .finding, id: "finding-2"))
        #expect(text.hasSuffix(end), "\(text)")
    }

    @Test func aPhotoIsFetchedAgain() {
        for code in [RecordActionError.Code.photoMissing("a.jpg"), .photoDamaged("a.jpg")] {
            let text = ErrorText.text(RecordActionError(code, kind: .finding, id: "finding-2"))
            #expect(text.contains("sync --reset. If "), "\(text)")
        }
    }

    @Test func aColleagueReturnsWhatIsClosed() {
        var error = RecordActionError(.closed(status: "approved"), kind: .inspection, id: "inspection-2")
        error.worker = "sven"
        #expect(ErrorText.text(error).hasSuffix("A reviewer can return it to sven: return inspection-2 REASON"))
    }

    /// The service does not know where its texts are read.
    @Test func whatTheServiceHasKeptIsTypedWhereItIsRead() {
        let problem = SyncProblem.refusedByService(
            why: SettingsError(.noLogin, path: "/f").advised, goesOnByItself: false, report: SyncReport())
        let text = "No user has signed in yet. Sign in with: "
        #expect(ErrorText.text(problem, spelling: .shell) == text + "login")
        #expect(ErrorText.text(problem, spelling: .program(folder: "/f")) == text + "fieldbook login --folder /f")
    }

    @Test func anInspectionIsMovedWithItsFindings() {
        for (code, end) in [("shore", "shore"), (nil, "CODE")] {
            let way = AdviceText.command(.moveInspection("k3m9x2pq7d", district: code))
            #expect(way == "edit k3m9x2pq7d district=\(end)")
        }
    }
}

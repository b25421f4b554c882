import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

/// The texts of these errors and refusals are complete in any program: they contain no command of the shell.
@Suite struct AdviceWordingTests {
    private static let settings: [SettingsError.Code] = [
        .noFolder, .noSettings, .alreadyInitialized, .unreadable("x"), .noLogin, .passwordUnreadable,
        .ofAnother("sven"),
    ]
    private static let actions: [RecordActionError.Code] = [
        .closed(status: "submitted"), .partOfClosed(status: "approved", inspection: "inspection-1"),
        .partOfDeleted(inspection: "inspection-1"), .changedMeanwhile, .siteUndecided, .photoMissing("door.jpg"),
        .photoDamaged("door.jpg"), .photoChanged("door.jpg"),
    ]
    private static let undoing: [UndoError.Code] = [
        .sent(.site, "site-1"), .changedSince(.site, "site-1"), .otherChange,
    ]

    private static var errors: [any AdvisingError] {
        var errors: [any AdvisingError] = settings.map { SettingsError($0, path: "/folder") }
        for code in actions {
            var error = RecordActionError(code, kind: .inspection, id: "inspection-2")
            error.worker = "sven"
            errors.append(error)
        }
        for code in undoing { errors.append(UndoError(code: code)) }
        errors.append(
            FindingDistrictError(
                finding: "finding-1", problem: "must be hill\(colon: .moveInspection("inspection-1", district: "mill"))"
            ))
        return errors
    }

    private static let commands = [
        "fieldbook init", "fieldbook login", "sync --reset", "outbox retry", "undo ", "conflicts take", "photo save",
        "photo remove", "photo list", "edit ", "log ", "delete ", ": return", ": conflicts", "corrected=",
    ]

    private func check(_ text: AdvisedText) {
        for command in Self.commands { #expect(!text.text.contains(command), "\(text)") }
        #expect(!text.text.hasSuffix(" ") && !text.text.contains("  ") && !text.text.contains(" ."), "\(text)")
    }

    @Test func errorsNameNoCommands() {
        for error in Self.errors {
            check(error.advised)
            #expect(error.advised.text.hasSuffix("."), "\(error)")
            #expect(error.description == error.advised.text)
        }
    }

    @Test(arguments: [401, 403, 404, 409, 413, 429, 500, 507, 418])
    func refusalsNameNoCommands(code: Int) {
        let reasons = [
            "", "the district mill is not one of yours", "only a supervisor moves records of others to other districts",
            "only a supervisor hands work to somebody else", "only a supervisor says why it is returned",
            "the record has more than 20000 values", "the record names no channel, so nobody would get it",
            UnsentAttachment.reason(digest: "sha1-p"),
            "the record says that sven created it, and you are somebody else", "sg missing channel access",
        ]
        for reason in reasons {
            for isNew in [true, false] {
                check(
                    RefusalText.message(
                        code: 10_000 + code, reason: reason,
                        of: RefusedDetails(district: "mill", oldDistrict: "hill", isNew: isNew, isFilled: true)))
            }
            check(RefusalText.message(ofFetch: 10_000 + code, reason: reason))
        }
        for text in [RefusalText.takenAway, RefusalText.approvedAgain, RefusalText.returnedAgain] { check(text) }
    }

    @Test func aFieldIsNamedWithItsFormerValue() {
        let message = RefusalText.message(
            code: 10_403, reason: "only a supervisor moves records of others to other districts",
            of: RefusedDetails(oldDistrict: "hill"))
        #expect(message.marks.map(\.advice) == [.edit(.district, value: "hill")])
    }
}

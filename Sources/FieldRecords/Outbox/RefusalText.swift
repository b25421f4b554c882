import DocumentStore
import DocumentValues
import FieldModels
import Foundation

/// Explains a gateway's refusal to a worker.
public enum RefusalText {
    /// - Parameters:
    ///   - code: the status, or Couchbase's error number: a status and 10,000.
    ///   - reason: the gateway's text.
    ///   - kind: of the record; `nil` where it is none.
    ///   - district: the record's, where it has one.
    ///   - oldDistrict: the one in which the gateway has the record, where that is another one.
    ///   - isNew: whether the gateway has never had the record.
    ///   - isMovable: false for a finding whose inspection is not here: it goes to no other district by itself.
    ///   - isFilled: whether others have put values into the worker's own record that `undo` takes out.
    public static func message(
        code: Int, reason: String, kind: RecordKind? = nil, district: String? = nil, oldDistrict: String? = nil,
        isNew: Bool = false, isMovable: Bool = true, isFilled: Bool = false
    ) -> AdvisedText {
        let said = reason.isEmpty ? "" : " (the gateway says: \(reason.printableLine))"
        switch code % 10_000 {
        case 401: return "you are not signed in\(said)"
        case 403:
            let ways = Ways(
                district: isMovable ? moveOrAsk : askForDistrict,
                move: oldDistrict.map {
                    " Move it back\(bracketed: .edit(.district, value: $0)), or ask one to move it."
                },
                room: isFilled ? takeOthersOut : makeRoom)
            return known(reason, kind: kind, district: district, ways: ways) ?? "you may not write this record\(said)"
        case 404: return "the gateway does not know its collection\(said)"
        case 409: return isNew ? otherRecord : otherVersion
        case 413: return "it is too large for the gateway\(said)"
        case 429, 503: return "the gateway is busy; it is tried again\(said)"
        // As after a forgotten passphrase: the same sync fetches the photo, where another record at the gateway has it.
        case 500 where reason.utf8.starts(with: lacksPhoto.utf8):
            return
                """
                a photo of it is not on this laptop, or was not yet. Sync again; if it is refused again, take the photo \
                out\(bracketed: .removePhoto) and attach the picture again
                """
        case 507:
            return
                """
                you have sent as much within a day as the gateway's disk has left; ask your administrator, or sync \
                again tomorrow
                """
        default: return "the gateway answered \(code % 10_000)\(said)"
        }
    }

    private static let otherRecord: AdvisedText =
        """
        the gateway has another record, or a deletion, under its id. The next sync puts both together; if it is \
        refused again, this laptop does not get the other one, and yours can go on under a new id\(bracketed: .retry)
        """
    private static let otherVersion: AdvisedText =
        """
        it was changed or deleted on another device, too. The next sync puts both together. If it is refused again, \
        somebody is changing it at that moment (sync later), or this laptop does not get the other version: it \
        is in a district that you do not have (ask for it), or it was deleted \
        (\(way: .retry, or: "sending it again") brings the record back as yours)
        """

    /// The reason of a gateway that has requested a file from this laptop.
    private static let lacksPhoto = "The client does not have the attachment "

    /// Whether it is trouble of the gateway, such as a full disk, and not of the record: the user cannot help there. A 507
    /// is a refusal: the user has sent too much, and the sync itself goes on.
    ///
    /// - Parameter code: as for `message`.
    public static func isOfGateway(_ code: Int) -> Bool {
        switch code % 10_000 {
        case 408, 429, 502, 503, 504: true
        default: false
        }
    }

    /// Why a record is not here whose photos find no room on this computer's own disk.
    public static let noRoomHere: AdvisedText =
        "the disk of this laptop has no room for its photos beside what you still write; free some space, and sync"

    /// Why a record could not be fetched from the gateway.
    public static func message(ofFetch code: Int, reason: String) -> AdvisedText {
        let said = reason.isEmpty ? "" : " (the gateway says: \(reason.printableLine))"
        switch code % 10_000 {
        case 404:
            return
                """
                a photo of it is missing at the gateway, and a record is not taken over without its photos. Who has \
                the photo can mend it\(colon: .replacePhoto). Or ask your administrator to look into a backup\(said)
                """
        case 403 where reason.range(of: "doc not being synced", options: .literal) != nil:
            return
                """
                it refers to a photo that is not attached to it at the gateway, and a record is not taken over without \
                its photos; ask your administrator to look into it\(said)
                """
        case 403: return "the gateway does not give its photos to this laptop; ask your administrator\(said)"
        case 507:
            return "the gateway has no room left; ask your administrator\(said)"
        case 429, 503: return "the gateway is busy; it is tried again\(said)"
        case CBLError.badDocID:
            return
                """
                a record whose id cannot be kept here: an id has 1 to \(DocumentIDRules.maximumReceivedLength) bytes, no \
                control characters and no '_' in front. Ask your administrator to delete it at the gateway, or to \
                write it again under another id
                """
        default: return "it could not be fetched; ask your administrator\(said), error \(code % 10_000)"
        }
    }

    /// The refusals of the sync function's own checks, as Sync Gateway and ours word them.
    private static func known(_ reason: String, kind: RecordKind?, district: String?, ways: Ways) -> AdvisedText? {
        if let sentence = fieldFunctionReason(reason, ways: ways) { return sentence }
        func says(_ phrase: String) -> Bool { reason.range(of: phrase, options: .literal) != nil }
        if says("missing channel access") {
            let which = district.map { "The district \($0) is" } ?? "It is in a district that is"
            return "\(which) not one of yours.\(ways.district)"
        }
        if says("missing role") {
            switch kind {
            case .inspection: return "Only a supervisor may approve or return an inspection. Ask one to do it."
            case .assignment: return "Only a supervisor may assign work. Ask one to do it."
            case .site, .finding, .form, nil: return "Only a supervisor may write this. Ask one to do it."
            }
        }
        if says("admin required") { return "Only an administrator may do this. Ask yours." }
        if says("wrong user") { return "It is somebody else's; only they or a supervisor may change it." }
        return nil
    }

    private static let moveOrAsk: AdvisedText =
        " Move it to one that is\(bracketed: .edit(.district, value: nil)), or ask your administrator."
    private static let handBack: AdvisedText =
        " Hand it back\(bracketed: .edit(.inspector, value: nil)), or ask one to do it."
    private static let askSupervisor: AdvisedText = " Ask one to do it."
    private static let takeOthersOut: AdvisedText =
        " Others have changed it; take out what they have put in\(colon: .takeOthersOut), then sync."
    private static let makeRoom: AdvisedText =
        " Take something out of it, or ask the one whose it is, or a supervisor, to."
    private static let askForDistrict: AdvisedText =
        " Its inspection is not on this laptop: ask your administrator for the district."

    /// The remedies of a worker for some refusals.
    private struct Ways {
        let district: AdvisedText
        /// `nil` where the old district is not known.
        let move: AdvisedText?
        /// The advice for a record that is larger than a gateway takes.
        let room: AdvisedText
    }

    /// The part of the record whose change would end the refusal.
    static func subject(of code: Int, reason: String) -> RefusedRecord.Subject {
        if code % 10_000 == 409 { return .version }
        guard code % 10_000 == 403 else { return .other }
        func begins(_ phrase: String) -> Bool { reason.utf8.starts(with: phrase.utf8) }
        if isOfCreator(reason) { return .creator }
        if isOfLastChange(reason) { return .lastChange }
        if isOfOtherChange(reason) { return .otherChange }
        if deletesOthers.contains(where: begins) { return .deletion }
        if begins(onlyOffice) || namesNobody.contains(where: begins) { return .office }
        if begins(takesOver) { return .takeover }
        if begins(onlyMoves) { return .move }
        if begins(onlyHandsOver) { return .handOver }
        if begins(onlyReturns) || begins(onlyDecides) { return .review }
        if begins(onlyTakesBack) { return .approval }
        if statesByOthers.contains(where: begins) { return .stateByOthers }
        let isAboutDistrict =
            begins("the district ") || begins("the record is in no district of yours")
            || reason.range(of: "missing channel access", options: .literal) != nil
        return isAboutDistrict ? .district : .other
    }

    /// The gateway's reason for a record that it does not have, or not any more, and that names another user as its creator.
    private static func isOfCreator(_ reason: String) -> Bool {
        saysOfRecord(reason, end: " created it, and you are somebody else")
    }

    /// The same for the user's own record that another user has changed last.
    private static func isOfLastChange(_ reason: String) -> Bool {
        saysOfRecord(reason, end: " changed it last, and you are somebody else")
    }

    /// The reason for a record that it has, if another user made the sent version.
    private static func isOfOtherChange(_ reason: String) -> Bool {
        saysOfRecord(reason, end: " changed it last, and you are somebody else, as it is here")
            || (reason.utf8.starts(with: "when ".utf8) && reason.hasExactSuffix(" changed the record does not change"))
    }

    private static func saysOfRecord(_ reason: String, end: String) -> Bool {
        reason.utf8.starts(with: "the record says that ".utf8) && reason.hasExactSuffix(end)
    }

    private static let onlyOffice = "only the office "
    /// The reasons for records that an import has made, or changed: the gateway takes them only from the office.
    private static let namesNobody = [
        "the record does not say who created it", "the record is changed, and does not say that you changed it",
    ]

    /// The reasons if another user has handed an inspection in, approved or returned it.
    private static let statesByOthers = [
        "only a supervisor approves or returns inspections", "the record is submitted, and does not say by whom",
        "the record says that somebody else ", "the record says that it was ",
    ]

    private static let deletesOthers = ["only a supervisor deletes ", "only the office deletes "]

    private static let asYours: AdvisedText =
        """
         The gateway does not have it, or not any more: what is here is sent once that person has synced. If it was \
        deleted there, \(way: .retry, or: "sending it again") brings it back as yours.
        """
    private static let asYoursAtOnce: AdvisedText =
        " The gateway does not have it, or not any more: the next sync brings it back as yours."

    /// The text for a version that was only received here, and that the gateway had: why it is refused, and who can
    /// send it.
    ///
    /// - Parameter body: the version's, or the deleted one; `nil` if that cannot be read.
    static func lost(_ subject: RefusedRecord.Subject, body: JSONObject?) -> AdvisedText {
        let laptop = sender(subject, body: body).map { "\($0.printableLine)'s laptop" } ?? "the laptop that it is from"
        switch subject {
        case .deletion:
            return
                """
                The gateway does not know of its deletion any more: it may have been restored from a backup. It is deleted \
                again when the laptop syncs on which it was deleted.
                """
        case .creator:
            return
                """
                The gateway does not have it any more: it may have been restored from a backup. It comes back when \
                \(laptop) syncs.
                """
        case .office:
            return
                """
                The gateway does not have it as it is here: it may have been restored from a backup. It comes back when a \
                laptop of the office syncs.
                """
        case .lastChange, .otherChange, .district, .move, .handOver, .review, .approval, .takeover, .version,
            .stateByOthers, .other:
            return
                """
                The gateway has another version of it: it may have been restored from a backup. This one comes back \
                when \(laptop) syncs.
                """
        }
    }

    /// The user who made such a version, and whose laptop sends it.
    static func sender(_ subject: RefusedRecord.Subject, body: JSONObject?) -> String? {
        let members =
            switch subject {
            // A deletion does not name its author, and a user with another role cannot send the office's records.
            case .deletion, .office: [String]()
            case .creator: ["createdBy"]
            case .lastChange, .otherChange, .district, .move, .handOver, .review, .approval, .takeover, .version,
                .stateByOthers, .other:
                ["changedBy", "createdBy"]
            }
        return members.lazy.compactMap { body?[$0]?.stringValue }.first
    }

    private static let takesOver = "who created a record does not change"
    private static let asTheirs: AdvisedText =
        " The next sync leaves it its creator's, and sends what else was changed."

    private static let onlyMoves = "only a supervisor moves records of others to other districts"
    private static let onlyHandsOver = "only a supervisor hands work to somebody else"
    private static let onlyReturns = "only a supervisor says why it is returned"
    private static let onlyDecides = "only a supervisor decides what supervisors are asked about"
    private static let onlyTakesBack = "only a supervisor takes an approval back"
    /// The reason for a record that came back from the quarantine, and that others have changed while its user had no
    /// access.
    static let takenAway: AdvisedText =
        """
        it was changed or deleted on another device, too, while you had no access. If you have none still, ask for its \
        district, or send yours under a new id\(bracketed: .retry)
        """
    /// The reason for a record that was brought back without its approval.
    static let approvedAgain: AdvisedText = "The gateway has it again, approved. The next sync takes that over."
    static let returnedAgain: AdvisedText = "The gateway has it again, returned. The next sync takes that over."
    private static let withoutReview: AdvisedText =
        " Send the rest: \(way: .retry, or: "sending it again") takes back what was decided about that, and leaves it to them."

    /// How reasons begin that are about how much there is in a record.
    private static let tooMuch = [
        "the record has more than ", "the record notes more than ", "the record refers to more than ",
        "the record's files are behind names of more than ",
    ]

    /// How reasons begin that no command of a laptop can bring about, or mend.
    private static let ofOtherPrograms = [
        "the channel ", "the record", "when ", "there is no kind of record", "a site ",
        "an inspection ", "a inspection ", "a finding ", "a form ", "a assignment ", "the status ",
        "the gateway has only the name of the attachment", "another file is attached as",
        "a file is attached that", "the deletion has ",
    ]

    /// The sync function of the field database gives reasons that people understand; this adds the person to ask.
    private static func fieldFunctionReason(_ reason: String, ways: Ways) -> AdvisedText? {
        let ownAdvice: [(String, AdvisedText)] = [
            ("the district ", ways.district), ("the record is in no district of yours", ways.district),
            ("the record names no channel", " Give it a district\(colon: .edit(.district, value: nil))."),
            (onlyMoves, ways.move ?? askSupervisor), (onlyHandsOver, handBack), (onlyReturns, withoutReview),
            (onlyDecides, withoutReview), (takesOver, asTheirs),
            ("only a supervisor", askSupervisor), (onlyOffice, " Ask there."),
            ("the files of the record have more ", " Ask one of them to add yours, or attach smaller ones."),
            ("the assignment is somebody else's", " Ask a supervisor to give it to you, or to change it."),
        ]
        var all: [(String, AdvisedText)] = []
        if isOfCreator(reason) { all.append(("the record says ", asYours)) }
        if isOfLastChange(reason) { all.append(("the record says ", asYoursAtOnce)) }
        all += ownAdvice + tooMuch.map { ($0, ways.room) }
        for beginning in ofOtherPrograms { all.append((beginning, " Ask your administrator to look into it.")) }
        guard let (_, whom) = all.first(where: { reason.utf8.starts(with: $0.0.utf8) }) else { return nil }
        let sentence = reason.printableLine
        return "\(sentence.prefix(1).uppercased() + sentence.dropFirst()).\(whom)"
    }
}

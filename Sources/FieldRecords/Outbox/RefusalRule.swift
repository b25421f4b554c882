import DocumentValues
import Foundation

/// A reason for which a gateway refuses a record: how it is recognized, the part of the record that it is about, and how it is
/// explained to the user.
struct RefusalRule: Sendable {
    /// The gateway's text, of which a part may be a name or a number.
    enum Phrase: Sendable {
        case beginning(String)
        /// With a name in between.
        case around(String, end: String)
        /// Of Sync Gateway, which puts its own text around it.
        case within(String)
    }

    let phrase: Phrase
    let subject: RefusedRecord.Subject
    let explanation: Explanation

    enum Explanation: Sendable, Hashable {
        /// By the gateway's own text, with advice behind it.
        case asSaid(with: RefusalAdvice)
        case reworded(StandardCheck)
    }

    /// A check that Sync Gateway makes for a sync function; its terms mean nothing to a worker.
    enum StandardCheck: Sendable, Hashable {
        case channel
        case role
        case administrator
        case owner
    }

    /// Where several rules fit, the one that fits more of the text decides, so their order has no meaning.
    ///
    /// - Returns: `nil` for a reason of another sync function.
    static func of(_ reason: String) -> RefusalRule? {
        all.filter { $0.phrase.fits(reason) }.max { $0.phrase.weight < $1.phrase.weight }
    }
}

extension RefusalRule.Phrase {
    func fits(_ reason: String) -> Bool {
        switch self {
        case .beginning(let text): reason.utf8.starts(with: text.utf8)
        case .around(let start, let end): reason.utf8.starts(with: start.utf8) && reason.hasExactSuffix(end)
        case .within(let text): reason.range(of: text, options: .literal) != nil
        }
    }

    /// A name inside a reason can be any text: what a reason begins with decides before a phrase within it.
    fileprivate var weight: Int {
        switch self {
        case .beginning(let text): text.utf8.count
        case .around(let start, let end): start.utf8.count + end.utf8.count
        case .within: 0
        }
    }
}

extension RefusalRule {
    static let all: [RefusalRule] =
        beginnings.map {
            RefusalRule(phrase: .beginning($0.text), subject: $0.subject, explanation: .asSaid(with: $0.advice))
        }
        + aboutNames.map {
            RefusalRule(
                phrase: .around($0.start, end: $0.end), subject: $0.subject, explanation: .asSaid(with: $0.advice))
        }
        + ofSyncGateway.map {
            RefusalRule(phrase: .within($0.text), subject: $0.subject, explanation: .reworded($0.check))
        }

    /// How the sync function of the field database begins its reasons.
    private static let beginnings: [(text: String, subject: RefusedRecord.Subject, advice: RefusalAdvice)] = [
        ("the district ", .district, .moveToOwnDistrict),
        ("the record is in no district of yours", .district, .moveToOwnDistrict),
        ("the record names no channel", .other, .giveDistrict),
        ("only a supervisor moves records of others to other districts", .move, .moveBack),
        ("only a supervisor hands work to somebody else", .handOver, .handBack),
        ("only a supervisor says why it is returned", .review, .sendWithoutReview),
        ("only a supervisor decides what supervisors are asked about", .review, .sendWithoutReview),
        ("only a supervisor takes an approval back", .approval, .askSupervisor),
        ("only a supervisor approves or returns ", .stateByOthers, .askSupervisor),
        ("only a supervisor deletes ", .deletion, .askSupervisor),
        ("only a supervisor ", .supervision, .askSupervisor),
        ("only a supervisor", .other, .askSupervisor),
        ("only the office deletes ", .deletion, .askOffice),
        ("only the office ", .office, .askOffice),
        ("who created a record does not change", .takeover, .leaveToCreator),
        ("the files of the record have more ", .other, .addFewerFiles),
        ("the assignment is somebody else's", .other, .askForAssignment),
        ("the record has more than ", .other, .makeRoom),
        ("the record notes more than ", .other, .makeRoom),
        ("the record refers to more than ", .other, .makeRoom),
        ("the record's files are behind names of more than ", .other, .makeRoom),
        // Of records that an import has made, or changed: the gateway takes them only from the office.
        ("the record does not say who created it", .office, .askAdministrator),
        ("the record is changed, and does not say that you changed it", .office, .askAdministrator),
        // Another user has handed the inspection in, approved or returned it.
        ("the record is submitted, and does not say by whom", .stateByOthers, .askAdministrator),
        ("the record says that somebody else ", .stateByOthers, .askAdministrator),
        ("the record says that it was ", .stateByOthers, .askAdministrator),
        // No command of a laptop can bring these about, or mend them.
        ("the record", .other, .askAdministrator), ("the channel ", .other, .askAdministrator),
        ("when ", .other, .askAdministrator), ("there is no kind of record", .other, .askAdministrator),
        ("a site ", .other, .askAdministrator), ("an inspection ", .other, .askAdministrator),
        ("a finding ", .other, .askAdministrator), ("a form ", .other, .askAdministrator),
        ("an assignment ", .other, .askAdministrator), ("a response ", .other, .askAdministrator),
        ("the status ", .other, .askAdministrator), ("the deletion has ", .other, .askAdministrator),
        ("the gateway has only the name of the attachment", .other, .askAdministrator),
        ("another file is attached as", .other, .askAdministrator),
        ("a file is attached that", .other, .askAdministrator),
    ]

    /// Its reasons with the name of a user.
    private static let aboutNames:
        [(start: String, end: String, subject: RefusedRecord.Subject, advice: RefusalAdvice)] = [
            // Of a record that the gateway does not have, or not any more.
            ("the record says that ", " created it, and you are somebody else", .creator, .sendAsYours),
            ("the record says that ", " changed it last, and you are somebody else", .lastChange, .syncAsYours),
            // Of one that it has, in a version of another user.
            (
                "the record says that ", " changed it last, and you are somebody else, as it is here", .otherChange,
                .askAdministrator
            ),
            ("when ", " changed the record does not change", .otherChange, .askAdministrator),
        ]

    private static let ofSyncGateway: [(text: String, subject: RefusedRecord.Subject, check: StandardCheck)] = [
        ("missing channel access", .district, .channel), ("missing role", .supervision, .role),
        ("admin required", .other, .administrator), ("wrong user", .other, .owner),
    ]
}

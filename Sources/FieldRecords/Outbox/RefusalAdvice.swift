import DocumentValues
import FieldModels

/// What a worker can do about a refusal.
enum RefusalAdvice: Sendable, Hashable {
    case moveToOwnDistrict
    case giveDistrict
    case moveBack
    case handBack
    case sendWithoutReview
    case leaveToCreator
    case sendAsYours
    /// As `sendAsYours`; the next sync does it by itself.
    case syncAsYours
    case makeRoom
    case addFewerFiles
    case askForAssignment
    case askSupervisor
    case askOffice
    case askAdministrator
}

extension RefusalRule.Explanation {
    /// In sentences.
    ///
    /// - Parameter reason: the gateway's text.
    func text(of reason: String, for record: RefusedDetails) -> AdvisedText {
        switch self {
        case .asSaid(let advice):
            let sentence = reason.printableLine
            return "\(sentence.prefix(1).uppercased() + sentence.dropFirst()). \(advice.text(for: record))"
        case .reworded(let check): return check.text(for: record)
        }
    }
}

extension RefusalRule.StandardCheck {
    fileprivate func text(for record: RefusedDetails) -> AdvisedText {
        switch self {
        case .channel:
            let which = record.district.map { "The district \($0) is" } ?? "It is in a district that is"
            return "\(which) not one of yours. \(RefusalAdvice.moveToOwnDistrict.text(for: record))"
        case .role:
            let advice = RefusalAdvice.askSupervisor.text(for: record)
            switch record.kind {
            case .inspection: return "Only a supervisor may approve or return an inspection. \(advice)"
            case .assignment: return "Only a supervisor may assign work. \(advice)"
            case .site, .finding, .form, .response, nil: return "Only a supervisor may write this. \(advice)"
            }
        case .administrator: return "Only an administrator may do this. Ask yours."
        case .owner: return "It is somebody else's; only they or a supervisor may change it."
        }
    }
}

extension RefusalAdvice {
    fileprivate func text(for record: RefusedDetails) -> AdvisedText {
        switch self {
        case .moveToOwnDistrict:
            guard record.isMovable else {
                return "Its inspection is not on this laptop: ask your administrator for the district."
            }
            return "Move it to one that is\(bracketed: .edit(.district, value: nil)), or ask your administrator."
        case .giveDistrict: return "Give it a district\(colon: .edit(.district, value: nil))."
        case .moveBack:
            guard let old = record.oldDistrict else { return Self.askOne }
            return "Move it back\(bracketed: .edit(.district, value: old)), or ask one to move it."
        case .handBack: return "Hand it back\(bracketed: .edit(.inspector, value: nil)), or ask one to do it."
        case .sendWithoutReview:
            return """
                Send the rest: \(way: .retry, or: "sending it again") takes back what was decided about that, and leaves it \
                to them.
                """
        case .leaveToCreator: return "The next sync leaves the record to its creator, and sends the other changes."
        case .sendAsYours:
            return """
                The gateway does not have it, or not any more: your version is sent once that person has synced. If it was \
                deleted there, \(way: .retry, or: "sending it again") brings it back as yours.
                """
        case .syncAsYours:
            return "The gateway does not have it, or not any more: the next sync brings it back as yours."
        case .makeRoom:
            guard record.isFilled else {
                return "Take something out of it, or ask its owner or a supervisor to do that."
            }
            return "Others have changed it; take out what they have put in\(colon: .takeOthersOut), then sync."
        case .addFewerFiles: return "Ask one of them to add yours, or attach smaller ones."
        case .askForAssignment: return "Ask a supervisor to give it to you, or to change it."
        case .askSupervisor: return Self.askOne
        case .askOffice: return "Ask the office to do it."
        case .askAdministrator: return "Ask your administrator to look into it."
        }
    }

    private static let askOne: AdvisedText = "Ask one to do it."
}

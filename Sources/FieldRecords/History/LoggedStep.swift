import DocumentValues
import FieldModels

/// A step in the life of a filled form, as its log shows it.
struct LoggedStep {
    private let step: ResponseStep
    /// The question of a comment, as people read its path.
    private let question: String?

    var event: RecordEvent {
        let text =
            switch step.action {
            case .finalised: "finalised"
            case .reopened: "taken back to a draft"
            case .returned: "returned"
            case .approved: "approved"
            case .broughtBack: "brought back"
            }
        let about = question.map { ", about \($0)" } ?? ""
        return RecordEvent(
            moment: step.at, author: step.by, text: text + about + (step.why.map { ": \($0)" } ?? ""))
    }

    /// Whether a change of the record is only this step.
    func isTaken(by change: RecordEvent) -> Bool {
        guard change.moment == step.at, change.author.isExactly(step.by) else { return false }
        return switch step.action {
        case .returned, .approved: true
        // Answers may have changed with it.
        case .finalised, .reopened, .broughtBack: false
        }
    }

    fileprivate init(_ step: ResponseStep, keyed: [Name: String]) {
        self.step = step
        question = step.question.map { path in
            // Behind the slash and the name of the root.
            let inner = path.split(atByte: "/").dropFirst().joined(separator: "/")
            return keyed[Name(inner)] ?? inner
        }
    }
}

extension History {
    static func steps(of body: JSONObject) -> [LoggedStep] {
        let leaves = AnswerLeaf.all(in: body["answers"])
        let keyed = Dictionary(leaves.map { (Name($0.key), $0.path) }, uniquingKeysWith: { $1 })
        return (body[Response.Key.history.rawValue]?.arrayValue ?? []).compactMap(\.objectValue)
            .compactMap { ResponseStep($0) }.map { LoggedStep($0, keyed: keyed) }
    }
}

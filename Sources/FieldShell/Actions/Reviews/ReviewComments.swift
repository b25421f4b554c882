import DocumentValues
import FieldForms
import FieldModels

/// The comments with which a filled form was returned, each with the question that it is about.
struct ReviewComments {
    let clock: LocalClock
    /// `nil` where the form is not here: questions are named by their keys then.
    let record: FormSession?

    /// `point[2]/depth: too deep (ines, 17:41)`.
    func lines(_ comments: [ResponseStep]) -> [String] {
        comments.map { comment in
            let who = [comment.by, clock.text(comment.at)].compactMap(\.self).joined(separator: ", ")
            let about = comment.question.map { (record?.numberedPath(ofKeyed: $0) ?? $0) + ": " } ?? ""
            return "\(about)\(comment.why ?? "") (\(who))".printableLine
        }
    }
}

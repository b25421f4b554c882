import DocumentValues

/// Why a form cannot be filled.
package struct FormFillingError: UserFacingError {
    package enum Cause: Sendable {
        /// No new records are made of the form.
        case closed
        /// The record is with its reviewers.
        case handedIn(state: String)
        /// A sync, or another program, has changed the record since it was opened.
        case changedElsewhere
        case notFound
        case upToDate
        case tooLarge
        /// A file for a question that takes pictures has no picture by its first bytes.
        case noPicture
        /// A path of a question that names none.
        case path(String)
        /// A text that is no expression, with its fault.
        case expression(String)
    }

    /// The form, the record, or the name of a file.
    @Exact package private(set) var subject: String
    package let cause: Cause

    package init(_ cause: Cause, subject: String) {
        self.cause = cause
        self.subject = subject
    }

    package var description: String {
        let subject = subject.printableLine
        return switch cause {
        case .closed: "No new records of the form \(subject) are made any more. Drafts may be finished: list responses"
        case .handedIn(let state):
            "The record \(subject) is \(state.printableLine), and its form does not let it be edited after it was sent."
        case .changedElsewhere:
            "The record \(subject) has been changed since it was opened; nothing was saved. Open it again: fill \(subject)"
        case .notFound: "There is no filled form \(subject) here. All of them: list responses"
        case .upToDate: "The record \(subject) answers the current version of its form already."
        case .tooLarge: "The record \(subject) would be larger than the 4 MB that a record may have."
        case .noPicture: "\(subject) is no picture: it has neither JPEG, PNG, WebP, HEIC, AVIF, GIF nor TIFF inside."
        case .path(let reason): reason
        case .expression(let fault): "The expression cannot be read: \(fault)."
        }
    }
}

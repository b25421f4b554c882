import DocumentValues
import FieldModels

/// Why a form cannot be published, found or opened.
package struct FormLibraryError: UserFacingError {
    package enum Cause: Sendable {
        /// With the version that the form could have.
        case noVersion(proposed: String)
        case takenVersion(String)
        /// A form of schema 1 has the id.
        case takenID
        /// No document can have the form's id.
        case badID
        case largeFile(String)
        case emptyFile(String)
        case manyFiles(Int)
        /// Bytes or values, and how many there may be.
        case large(Int, limit: Int, unit: String)
        case unknown(nearest: [String])
        case ambiguous([String])
        /// With those that are there.
        case unknownVersion(String, known: [String])
        /// The head names a version that has not come here yet.
        case versionMissing(String)
        case damaged([String])
        /// Files that have not come here yet.
        case filesMissing([String])
    }

    /// The form as it was named.
    @Exact package private(set) var form: String
    package let cause: Cause

    package init(_ cause: Cause, form: String) {
        self.cause = cause
        self.form = form
    }

    package var description: String { Sentences.joined(reason, hint: remedy) }

    /// Without the way out.
    package var reason: String {
        let form = form.printableLine
        return switch cause {
        case .noVersion: "the form \(form) has no version"
        case .takenVersion(let version):
            "version \(version.printableLine) of \(form) exists with other questions; give it a new version"
        case .takenID: "there is a form \(form) of the former kind, which inspections answer"
        case .badID: "no form can have the id '\(form)', which is empty or begins with '_'"
        case .largeFile(let name):
            "the file '\(name.printableLine)' is larger than the \(FormLibraryLimits.file >> 20) MB that a gateway takes"
        case .emptyFile(let name): "the file '\(name.printableLine)' is empty"
        case .manyFiles(let count):
            "the form \(form) has \(count) files beside it; there may be \(FormLibraryLimits.files)"
        case .large(let size, let limit, let unit):
            "the questions of \(form) have \(size) \(unit); a gateway takes \(limit)"
        case .unknown: "there is no form '\(form)'"
        case .ambiguous(let names): "'\(form)' can be \(Self.listing(names))"
        case .unknownVersion(let version, _): "there is no version '\(version.printableLine)' of \(form)"
        case .versionMissing(let version): "version \(version.printableLine) of \(form) is not here yet"
        case .damaged(let problems):
            "the form \(form) cannot be read: \(Self.listing(problems))"
        case .filesMissing(let names): "files of \(form) are not here yet: \(Self.listing(names))"
        }
    }

    /// The way out, if there is one.
    package var remedy: String? {
        switch cause {
        case .noVersion(let proposed): "Give it one: --version \(proposed), or version: \(proposed) in the form"
        case .takenVersion: nil
        case .takenID, .badID: "Give it another id: --name FORM_ID"
        case .largeFile: "Make it smaller"
        case .emptyFile, .damaged: nil
        case .manyFiles, .large: "Make two forms of it"
        case .unknown(let nearest):
            nearest.isEmpty
                ? "All forms: form list"
                : "Did you mean \(nearest.map { "'\($0)'" }.joined(separator: " or "))?"
        case .ambiguous: "Type more of it"
        case .unknownVersion(_, let known): known.isEmpty ? nil : "There is \(Self.listing(known))"
        case .versionMissing, .filesMissing: "They come with the next sync"
        }
    }

    private static func listing(_ names: [String]) -> String {
        let shown = names.prefix(FormLibraryLimits.candidates).map { $0.printableLine.shortened(toScalars: 80) }
        let rest = names.count - shown.count
        return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}

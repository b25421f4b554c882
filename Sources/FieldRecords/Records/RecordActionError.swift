import DocumentStore
import DocumentValues
import FieldModels

/// Why something cannot be done with a record.
public struct RecordActionError: AdvisingError, Sendable, Hashable {
    public enum Code: Sendable, Hashable {
        case notFound
        case exists
        /// The record is no longer the inspector's to change.
        case closed(status: String)
        /// The inspection that it is part of is no longer the inspector's to change.
        case partOfClosed(status: String, inspection: String)
        /// The inspection that it is part of is deleted.
        case partOfDeleted(inspection: String)
        /// The life cycle has no such step.
        case noSuchStep(from: String, to: String)
        /// Others refer to it.
        case inUse(by: String)
        case attachment(String)
        /// The photo of this name was changed since the user looked at it.
        case photoChanged(String)
        /// The photo's bytes are not on this laptop.
        case photoMissing(String)
        /// The photo's file on this laptop was changed or cut.
        case photoDamaged(String)
        /// A sync has brought changes since the user looked at the conflict.
        case changedMeanwhile
        /// A district was chosen, and the site is to be decided, too: none of the sites, or several, are in that district.
        case siteUndecided
    }

    public let code: Code
    /// `nil` for a document of another application in the same folder.
    public let kind: RecordKind?
    @Exact public private(set) var id: String
    /// The user whose work a closed inspection is, if that is not the user who was refused.
    @Exact public var worker: String?

    public init(_ code: Code, kind: RecordKind?, id: String) {
        self.code = code
        self.kind = kind
        self.id = id
        worker = nil
    }

    /// The way out of a closed inspection, which it is returned by.
    private func way(of what: String, inspection: String) -> AdvisedText {
        guard let worker else { return " A reviewer can return \(what) to you." }
        let id = RecordKind.inspection.shortID(of: inspection)
        return " A reviewer can return \(what) to \(worker)\(colon: .returnInspection(id), or: ".")"
    }

    private static func missing(_ photo: String, of record: String) -> AdvisedText {
        """
        The photo \(photo) of the \(record) is not on this laptop: its file was lost. Fetch it from the \
        gateway\(colon: .resetSync). If the gateway does not have it either, attach the picture again, from where \
        it was taken or from a laptop that has it\(bracketed: .savePhoto).
        """
    }

    private static func hidden(_ record: String, with inspection: String) -> AdvisedText {
        """
        The \(record) is part of the inspection \(inspection), which is deleted, so no list shows it and it cannot be \
        changed. Bring the inspection back first\(colon: .undo(inspection), or: ".")
        """
    }

    private static func damaged(_ photo: String, of record: String) -> AdvisedText {
        """
        The photo \(photo) of the \(record) is damaged on this laptop: its file was changed or cut. A file \
        that was cut is fetched from the gateway by \(way: .resetSync, or: "asking for everything again"). If that does \
        not help, attach the picture again, from where it was taken or from a laptop that has it\(bracketed: .savePhoto).
        """
    }

    public var advised: AdvisedText {
        let name = kind?.rawValue ?? "document"
        let id = kind?.shortID(of: id) ?? id
        func isReturnable(_ status: String) -> Bool {
            [Inspection.Status.submitted, .approved].contains { status.isExactly($0.rawValue) }
        }
        func short(_ inspection: String) -> String { RecordKind.inspection.shortID(of: inspection) }
        return switch code {
        case .notFound: "There is no \(name) \(id)."
        case .exists: "There is a \(name) \(id) already."
        case .closed(let status):
            """
            The \(name) \(id) is \(status), so it can no longer be changed.\
            \(isReturnable(status) ? way(of: "it", inspection: self.id) : "")
            """
        case .partOfClosed(let status, let inspection):
            """
            The \(name) \(id) is part of the inspection \(short(inspection)), which is \(status), so it can no longer be \
            changed or deleted, but for the day on which it was fixed\(colon: .correct).\
            \(isReturnable(status) ? way(of: "the inspection", inspection: inspection) : "")
            """
        case .partOfDeleted(let inspection): Self.hidden("\(name) \(id)", with: short(inspection))
        case .noSuchStep(let from, let to):
            """
            The \(name) \(id) is \(from == "draft" ? "a draft" : from); it cannot \
            \(to == "draft" ? "become a draft." : "be \(to).")
            """
        case .inUse(let others): "The \(name) \(id) has \(others). Delete them first."
        case .changedMeanwhile:
            """
            The \(name) \(id) has changed since you looked at it. Nothing was decided; look \
            again\(colon: .listConflicts, or: ".")
            """
        case .siteUndecided:
            """
            The site of the \(name) \(id) is to be decided, too, and its district goes with it. Nothing was decided; choose the \
            site\(colon: .decideSite(id), or: ".")
            """
        case .photoMissing(let photo): Self.missing(photo, of: "\(name) \(id)")
        case .photoDamaged(let photo): Self.damaged(photo, of: "\(name) \(id)")
        case .photoChanged(let photo):
            """
            Nothing was changed of the files of the \(name) \(id): \(photo) was changed since you looked. Look \
            again\(colon: .listPhotos, or: ".")
            """
        case .attachment(let reason): "Nothing was changed of the files of the \(name) \(id): \(reason)"
        }
    }
}

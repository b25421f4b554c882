import FieldModels
import FieldRecords

/// The question before a refused record is given up, and the answer afterwards.
enum DiscardText {
    /// The part of a discarded assignment that was not refused.
    static func staysDone(by inspection: Inspection?) -> String {
        guard let inspection else { return "" }
        let id = RecordReference.short(inspection.id, kind: .inspection)
        return " It stays done, by the inspection \(id), which is \(inspection.status.rawValue)."
    }

    /// The gateway has lost the version that is here.
    static func lostQuestion(_ record: RefusedRecord) -> String {
        "Take the \(record.titledName) from this laptop? The gateway does not have this version: its own comes back, and if it "
            + "has none, the record is gone from this laptop."
    }

    static func question(_ record: RefusedRecord, with: String) -> String {
        switch record.change {
        case .edit where record.awaits == .anotherLaptop:
            "Take the \(record.titledName) from this laptop? The gateway's version comes back, if it has one."
        case .new where record.subject.meaning.isOtherVersion:
            "Discard your version of the \(record.titledName)\(with)? The gateway has another version of it"
                + (with.isEmpty ? "." : "; its findings are nowhere else.")
        case .new: "Discard the new \(record.titledName)\(with)? Nobody else has it."
        case .edit where record.isTakenAway:
            "Discard your changes of the \(record.titledName)? The gateway's version comes back, if you have access to it."
        case .edit: "Discard your changes of the \(record.titledName)? The gateway's version comes back."
        case .deletion: "Bring back the \(record.titledName), which you deleted?"
        case .deletionOfNew: "Forget the deleted \(record.titledName)?"
        }
    }

    static func outcome(_ discarded: Discarded, record: RefusedRecord, with: String) -> String {
        switch discarded {
        case .purged: "Discarded the \(record.titledName)\(with). Nothing of it is left."
        case .reverted where record.subject.meaning.isSentByCreator:
            "Your changes of the \(record.titledName) are taken back. The gateway does not have it any more; it comes back when "
                + "its creator's laptop syncs."
        case .reverted: "The \(record.titledName) is the gateway's version again."
        case .comesBack:
            "Discarded your version of the \(record.titledName). The next sync brings the gateway's version, if that is "
                + "in a district of yours, and was not deleted."
        }
    }
}

/// An action that helps a person. Each program has its own way to it: a command, a button, a menu.
public enum Advice: Sendable, Hashable, Codable {
    /// To make a folder where there is none.
    case makeFolder
    /// To make a folder of the user's own, and sign in there.
    case takeOwnFolder
    case signIn
    /// To ask for everything again that the gateway has.
    case resetSync

    // MARK: The outbox

    /// To send the refused record again.
    case retry
    /// To give a field of a refused record another value; `nil` where the person knows which.
    case edit(EditedField, value: String?)
    /// To take out the values that others have put into the record.
    case takeOthersOut

    public enum EditedField: String, Sendable, Hashable, Codable {
        case district
        case inspector
    }

    // MARK: Records, by their short ids

    case delete(String)
    case undo(String)
    case undoLast
    case log(String)
    case editAnswers(String)
    /// To give an inspection another district; `nil` where the person knows which.
    case moveInspection(String, district: String?)
    /// To note when a finding was fixed.
    case correct
    /// For a reviewer: to return an inspection.
    case returnInspection(String)

    // MARK: Conflicts and photos

    case listConflicts
    case decideSite(String)
    case listPhotos
    case savePhoto
    case removePhoto
    /// To take a photo from a laptop that has it, and attach it again.
    case replacePhoto
}

import DocumentValues
import FieldModels

extension Inspection {
    /// The person whose work it is: its inspector, or its creator if it names none.
    public var worker: String? { RecordOwners(of: self).worker }

    /// Whether it is the user's to go on with. An inspection that names no user is for all users; all inspections count if
    /// no user has signed in.
    public func isToBeDone(by user: String?) -> Bool {
        guard let user, let worker else { return true }
        return worker.isExactly(user)
    }

    /// Whose work it is. Users are compared by the bytes of their names, as the gateway does: "ré" in one code point and
    /// in two are two people.
    public func isWork(of user: String?) -> Bool {
        guard let user else { return false }
        return worker.isExactly(user)
    }
}

import DocumentValues
import FieldModels

extension Response {
    /// The person whose work it is: who began it.
    public var worker: String? { RecordOwners(of: Self.kind, object).worker }

    /// Whose work it is, compared by the bytes of names as the gateway does.
    public func isWork(of user: String?) -> Bool {
        guard let user, let worker else { return false }
        return worker.isExactly(user)
    }

    /// Whether it is the user's to go on with: one that names no user is for all, and all are if no user has signed in.
    public func isToBeDone(by user: String?) -> Bool {
        guard let user, let worker else { return true }
        return worker.isExactly(user)
    }
}

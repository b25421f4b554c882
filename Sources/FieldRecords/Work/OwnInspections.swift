import DocumentValues
import FieldModels

extension Inspection {
    /// Whether somebody is to go on with it: what names nobody is everybody's, and everything is where nobody has signed in.
    public func isToBeDone(by user: String?) -> Bool {
        guard user != nil, inspector ?? envelope.createdBy != nil else { return true }
        return isWork(of: user)
    }

    /// Whose work it is. Users are compared by the bytes of their names, as the gateway does: "ré" in one code point and
    /// in two are two people.
    public func isWork(of user: String?) -> Bool {
        guard let user, let inspector = inspector ?? envelope.createdBy else { return false }
        return inspector.isExactly(user)
    }
}

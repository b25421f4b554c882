import DocumentValues
import FieldModels

extension Inspection {
    /// Whose work it is. Users are compared by the bytes of their names, as the gateway does: "ré" in one code point and
    /// in two are two people.
    public func isWork(of user: String?) -> Bool {
        guard let user, let inspector = inspector ?? envelope.createdBy else { return false }
        return inspector.isExactly(user)
    }
}

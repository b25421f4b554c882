import DocumentValues
import FieldModels

extension Inspection {
    /// Whose work it is: its inspector's, or who has made it where it names none.
    public var worker: String? { RecordOwners(of: self).worker }

    /// Whether somebody is to go on with it: what names nobody is everybody's, and everything is where nobody has signed in.
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

extension FieldDatabase {
    /// The inspections that nobody has approved, as far as they can be read.
    public func unapprovedInspections() throws -> [Inspection] { try inspections.all(where: .unapproved) }

    /// The inspections that were made for an assignment, in the order of their ids, as far as they can be read.
    public func inspections(ofAssignment id: String) throws -> [Inspection] {
        try inspections.all(where: .of("assignment", id: id))
    }

    /// The inspections of a site, in the order of their ids, as far as they can be read.
    public func inspections(ofSite id: String) throws -> [Inspection] {
        try inspections.all(where: .of("site", id: id))
    }

    /// What was found at a site, in the order of the ids, as far as it can be read.
    public func findings(ofSite id: String) throws -> [Finding] { try findings.all(where: .of("site", id: id)) }
}

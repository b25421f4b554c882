/// The names of the members of a record, or of a part of one.
///
/// A ``RecordReader`` reads no member by another name. So the cases are all that is read, and an export holds its columns
/// against them.
public protocol MemberKey: RawRepresentable<String>, CaseIterable, Sendable {}

extension MemberKey {
    /// In the order in which they are declared.
    public static var names: [String] { allCases.map(\.rawValue) }
}

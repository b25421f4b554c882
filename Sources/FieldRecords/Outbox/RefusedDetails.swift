import FieldModels

/// The facts about a refused record that its explanation depends on.
public struct RefusedDetails: Sendable, Hashable {
    /// `nil` for a document that is no record.
    public var kind: RecordKind?
    /// `nil` where it has none.
    public var district: String?
    /// The one in which the gateway has the record, where that is another one.
    public var oldDistrict: String?
    /// Whether the gateway has never had the record.
    public var isNew: Bool
    /// False for a finding whose inspection is not here: it goes to no other district by itself.
    public var isMovable: Bool
    /// Whether others have put values into the worker's own record that `undo` takes out.
    public var isFilled: Bool

    /// The members say what each fact means; left out, nothing is known about the record.
    public init(
        kind: RecordKind? = nil, district: String? = nil, oldDistrict: String? = nil, isNew: Bool = false,
        isMovable: Bool = true, isFilled: Bool = false
    ) {
        self.kind = kind
        self.district = district
        self.oldDistrict = oldDistrict
        self.isNew = isNew
        self.isMovable = isMovable
        self.isFilled = isFilled
    }
}

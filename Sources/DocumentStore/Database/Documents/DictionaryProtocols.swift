import Foundation

/// Read access to the members of a document or a dictionary in it.
///
/// Typed getters return 0, false or `nil` where the member is missing or has another type; dates are ISO 8601 texts.
public protocol DictionaryProtocol {
    /// How many members there are.
    var count: Int { get }
    /// The names of the members.
    var keys: [String] { get }
    /// The member, or its absence: ``Fragment/exists``.
    subscript(key: String) -> Fragment { get }
    /// The array; `nil` where there is none.
    func array(forKey key: String) -> ArrayObject?
    /// The dictionary; `nil` where there is none.
    func dictionary(forKey key: String) -> DictionaryObject?
    /// The members as Swift values: containers as `[String: Any]` and `[Any]`, null as `NSNull`, blobs as `Blob`.
    /// If Swift's `String` takes two names for the same, it has the later member only; ``toJSON()`` has both.
    func toDictionary() -> [String: Any]
    /// The members as JSON text.
    func toJSON() -> String
}

extension DictionaryProtocol {
    /// The value as Swift has it: `String`, `NSNumber`, `NSNull`, `Blob`, ``ArrayObject`` or ``DictionaryObject``;
    /// `nil` where the member is missing.
    public func value(forKey key: String) -> Any? { self[key].value }
    /// The text; `nil` where there is none.
    public func string(forKey key: String) -> String? { self[key].string }
    /// The number, or a boolean as 0 or 1; `nil` where there is neither.
    public func number(forKey key: String) -> NSNumber? { self[key].number }
    /// The whole part of the number, 1 for true; 0 where there is neither.
    public func int(forKey key: String) -> Int { self[key].int }
    /// The whole part of the number, 1 for true; 0 where there is neither. A number that is too large becomes the
    /// nearest value.
    public func int64(forKey key: String) -> Int64 { self[key].int64 }
    /// The number as a `Float`, 1 for true; 0 where there is neither.
    public func float(forKey key: String) -> Float { self[key].float }
    /// The number as a `Double`, 1 for true; 0 where there is neither.
    public func double(forKey key: String) -> Double { self[key].double }
    /// The boolean, or whether the number is not 0; false where there is neither.
    public func boolean(forKey key: String) -> Bool { self[key].boolean }
    /// The date that an ISO 8601 text is, a day or a moment, in UTC where it names no time zone; `nil` where there is none, or
    /// more than a date. In a query, `STR_TO_MILLIS` takes a text without a time zone for one of the zone of the process.
    public func date(forKey key: String) -> Date? { self[key].date }
    /// The attachment; `nil` where there is none.
    public func blob(forKey key: String) -> Blob? { self[key].blob }
    /// Whether there is a member of that name, null or not.
    public func contains(key: String) -> Bool { self[key].exists }
    /// Whether there is a member of that name, null or not.
    public func contains(_ key: String) -> Bool { self[key].exists }
}

/// Write access to the members of a document or a dictionary in it; `nil` stores null.
///
/// A value that no document can hold is refused when the document is saved, with its path: other types, integers beyond 64
/// bits, numbers that are not finite, dates outside the years 1 to 9999, and values inside more than 1,000 arrays and
/// dictionaries.
public protocol MutableDictionaryProtocol: DictionaryProtocol {
    /// Stores a value: `nil` and `NSNull` as null, a `Date` as an ISO 8601 text. A value that no document can hold is
    /// refused when the document is saved.
    @discardableResult func setValue(_ value: Any?, forKey key: String) -> Self
    /// Removes the member; where there is none, nothing happens.
    @discardableResult func removeValue(forKey key: String) -> Self
    /// Replaces all members.
    @discardableResult func setData(_ data: [String: Any]) -> Self
    /// Replaces all members by those of a JSON object.
    @discardableResult func setJSON(_ json: String) throws -> Self
}

extension MutableDictionaryProtocol {
    /// Stores a text, `nil` as null.
    @discardableResult public func setString(_ value: String?, forKey key: String) -> Self {
        setValue(value, forKey: key)
    }
    /// Stores a number or a boolean, `nil` as null.
    @discardableResult public func setNumber(_ value: NSNumber?, forKey key: String) -> Self {
        setValue(value, forKey: key)
    }
    /// Stores a whole number.
    @discardableResult public func setInt(_ value: Int, forKey key: String) -> Self { setValue(value, forKey: key) }
    /// Stores a whole number.
    @discardableResult public func setInt64(_ value: Int64, forKey key: String) -> Self {
        setValue(value, forKey: key)
    }
    /// Stores a number; one that is not finite is refused when the document is saved.
    @discardableResult public func setDouble(_ value: Double, forKey key: String) -> Self {
        setValue(value, forKey: key)
    }
    /// Stores a number; one that is not finite is refused when the document is saved.
    @discardableResult public func setFloat(_ value: Float, forKey key: String) -> Self {
        setValue(value, forKey: key)
    }
    /// Stores a boolean.
    @discardableResult public func setBoolean(_ value: Bool, forKey key: String) -> Self {
        setValue(value, forKey: key)
    }
    /// Stores an attachment, whose bytes are stored when the document is saved; `nil` as null.
    @discardableResult public func setBlob(_ value: Blob?, forKey key: String) -> Self {
        setValue(value, forKey: key)
    }
    /// Stores a date as an ISO 8601 text with milliseconds, `nil` as null.
    @discardableResult public func setDate(_ value: Date?, forKey key: String) -> Self {
        setValue(value, forKey: key)
    }
    /// Stores an array, `nil` as null.
    @discardableResult public func setArray(_ value: ArrayObject?, forKey key: String) -> Self {
        setValue(value, forKey: key)
    }
    /// Stores a dictionary, `nil` as null.
    @discardableResult public func setDictionary(_ value: DictionaryObject?, forKey key: String) -> Self {
        setValue(value, forKey: key)
    }
}

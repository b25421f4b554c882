import Foundation

/// Read access to the members of a document or a dictionary in it.
///
/// Typed getters return 0, false or `nil` where the member is missing or has another type; dates are ISO 8601 texts.
public protocol DictionaryProtocol {
    var count: Int { get }
    var keys: [String] { get }
    subscript(key: String) -> Fragment { get }
    func array(forKey key: String) -> ArrayObject?
    func dictionary(forKey key: String) -> DictionaryObject?
    /// The members as Swift values: containers as `[String: Any]` and `[Any]`, null as `NSNull`, blobs as `Blob`.
    func toDictionary() -> [String: Any]
    /// The members as JSON text.
    func toJSON() -> String
}

extension DictionaryProtocol {
    public func value(forKey key: String) -> Any? { self[key].value }
    public func string(forKey key: String) -> String? { self[key].string }
    public func number(forKey key: String) -> NSNumber? { self[key].number }
    public func int(forKey key: String) -> Int { self[key].int }
    public func int64(forKey key: String) -> Int64 { self[key].int64 }
    public func float(forKey key: String) -> Float { self[key].float }
    public func double(forKey key: String) -> Double { self[key].double }
    public func boolean(forKey key: String) -> Bool { self[key].boolean }
    public func date(forKey key: String) -> Date? { self[key].date }
    public func blob(forKey key: String) -> Blob? { self[key].blob }
    public func contains(key: String) -> Bool { self[key].exists }
    public func contains(_ key: String) -> Bool { self[key].exists }
}

/// Write access to the members of a document or a dictionary in it; `nil` stores null.
///
/// What no document can hold is refused when the document is saved, with its path: other types, integers beyond 64 bits,
/// numbers that are not finite, dates outside the years 1 to 9999, and values inside more than 1,000 arrays and dictionaries.
public protocol MutableDictionaryProtocol: DictionaryProtocol {
    @discardableResult func setValue(_ value: Any?, forKey key: String) -> Self
    @discardableResult func removeValue(forKey key: String) -> Self
    /// Replaces all members.
    @discardableResult func setData(_ data: [String: Any]) -> Self
    /// Replaces all members by those of a JSON object.
    @discardableResult func setJSON(_ json: String) throws -> Self
}

extension MutableDictionaryProtocol {
    @discardableResult public func setString(_ value: String?, forKey key: String) -> Self {
        setValue(value, forKey: key)
    }
    @discardableResult public func setNumber(_ value: NSNumber?, forKey key: String) -> Self {
        setValue(value, forKey: key)
    }
    @discardableResult public func setInt(_ value: Int, forKey key: String) -> Self { setValue(value, forKey: key) }
    @discardableResult public func setInt64(_ value: Int64, forKey key: String) -> Self {
        setValue(value, forKey: key)
    }
    @discardableResult public func setDouble(_ value: Double, forKey key: String) -> Self {
        setValue(value, forKey: key)
    }
    @discardableResult public func setFloat(_ value: Float, forKey key: String) -> Self {
        setValue(value, forKey: key)
    }
    @discardableResult public func setBoolean(_ value: Bool, forKey key: String) -> Self {
        setValue(value, forKey: key)
    }
    @discardableResult public func setBlob(_ value: Blob?, forKey key: String) -> Self {
        setValue(value, forKey: key)
    }
    @discardableResult public func setDate(_ value: Date?, forKey key: String) -> Self {
        setValue(value, forKey: key)
    }
    @discardableResult public func setArray(_ value: ArrayObject?, forKey key: String) -> Self {
        setValue(value, forKey: key)
    }
    @discardableResult public func setDictionary(_ value: DictionaryObject?, forKey key: String) -> Self {
        setValue(value, forKey: key)
    }
}

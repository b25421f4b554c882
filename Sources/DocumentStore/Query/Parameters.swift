import DocumentValues
import Foundation
import Synchronization

/// The values of a query's parameters, by their names without the dollar sign.
///
/// A parameter without a value is MISSING, and so is one that is null. Booleans are compared as 1.0 and 0.0.
public final class Parameters: Sendable {
    private let values: Mutex<[Name: NodeValue]>

    /// No values.
    public init() { values = Mutex([:]) }

    /// A copy of others.
    public init(parameters: Parameters?) { values = Mutex(parameters?.all ?? [:]) }

    var all: [Name: NodeValue] { values.withLock { $0 } }

    /// The value that was set, as Swift has it; `nil` where none was.
    public func value(forName name: String) -> Any? {
        values.withLock { $0[Name(name)] }.map { ValueConversion.value($0, mutable: false) }
    }

    /// Sets anything that a document can hold.
    @discardableResult public func setValue(_ value: Any?, forName name: String) -> Parameters {
        let node = ValueConversion.node(value, origin: ValueOrigin(nil))
        values.withLock { $0[Name(name)] = node }
        return self
    }

    /// Sets a text.
    @discardableResult public func setString(_ value: String?, forName name: String) -> Parameters {
        setValue(value, forName: name)
    }

    /// Sets a number.
    @discardableResult public func setNumber(_ value: NSNumber?, forName name: String) -> Parameters {
        setValue(value, forName: name)
    }

    /// Sets a whole number.
    @discardableResult public func setInt(_ value: Int, forName name: String) -> Parameters {
        setValue(value, forName: name)
    }

    /// Sets a whole number.
    @discardableResult public func setInt64(_ value: Int64, forName name: String) -> Parameters {
        setValue(value, forName: name)
    }

    /// Sets a number.
    @discardableResult public func setFloat(_ value: Float, forName name: String) -> Parameters {
        setValue(value, forName: name)
    }

    /// Sets a number.
    @discardableResult public func setDouble(_ value: Double, forName name: String) -> Parameters {
        setValue(value, forName: name)
    }

    /// Sets a boolean, which is compared as 1.0 or 0.0.
    @discardableResult public func setBoolean(_ value: Bool, forName name: String) -> Parameters {
        setValue(value, forName: name)
    }

    /// Sets a date as its ISO 8601 text.
    @discardableResult public func setDate(_ value: Date?, forName name: String) -> Parameters {
        setValue(value, forName: name)
    }

    /// Sets a blob as the dictionary that documents have of it.
    @discardableResult public func setBlob(_ value: Blob?, forName name: String) -> Parameters {
        setValue(value, forName: name)
    }

    /// Sets an array.
    @discardableResult public func setArray(_ value: ArrayObject?, forName name: String) -> Parameters {
        setValue(value, forName: name)
    }

    /// Sets a dictionary.
    @discardableResult public func setDictionary(_ value: DictionaryObject?, forName name: String) -> Parameters {
        setValue(value, forName: name)
    }
}

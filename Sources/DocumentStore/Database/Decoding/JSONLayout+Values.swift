import DocumentValues
import Foundation

/// Kept, because naming these types looks them up each time.
private let textsType: Any.Type = [String].self
private let optionalBoolType: Any.Type = Bool?.self

extension JSONLayout {
    /// The value at an index as one of a type.
    ///
    /// The types of JSON are found by comparisons, which the compiler decides where it knows the type; a cast to a protocol
    /// would be looked up each time.
    func value<T: Decodable>(_ type: T.Type, at index: Int) throws -> T {
        if type == String.self { return same(try text(at: index)) }
        if type == Bool.self { return same(try bool(at: index)) }
        if type == Double.self { return same(try double(at: index)) }
        if type == Float.self { return same(try float(at: index)) }
        if let whole = try whole(type, at: index) { return whole }
        if type == textsType { return same(try texts(at: index)) }
        if type == optionalBoolType { return same(isNull(at: index) ? nil : try bool(at: index)) }
        if type == Date.self { return same(try date(at: index)) }
        if type == Data.self { return same(try data(at: index)) }
        if type == Decimal.self { return same(try decimal(at: index)) }
        if type == URL.self { return same(try url(at: index)) }
        return try T(from: DecodedValue(layout: self, index: index))
    }

    /// A value of the wanted type, which was found to be the value's own.
    @inline(__always) private func same<Value, T>(_ value: Value) -> T {
        guard let value = value as? T else { preconditionFailure("\(Value.self) is not \(T.self)") }
        return value
    }

    /// `nil` for a type that is not one of whole numbers.
    @inline(__always) private func whole<T>(_ type: T.Type, at index: Int) throws -> T? {
        if type == Int.self { return try whole(at: index) as Int as? T }
        if type == Int64.self { return try whole(at: index) as Int64 as? T }
        if type == UInt64.self { return try whole(at: index) as UInt64 as? T }
        if type == Int32.self { return try whole(at: index) as Int32 as? T }
        if type == UInt32.self { return try whole(at: index) as UInt32 as? T }
        if type == Int16.self { return try whole(at: index) as Int16 as? T }
        if type == UInt16.self { return try whole(at: index) as UInt16 as? T }
        if type == Int8.self { return try whole(at: index) as Int8 as? T }
        if type == UInt8.self { return try whole(at: index) as UInt8 as? T }
        if type == UInt.self { return try whole(at: index) as UInt as? T }
        if type == Int128.self { return try whole(at: index) as Int128 as? T }
        if type == UInt128.self { return try whole(at: index) as UInt128 as? T }
        return nil
    }

    func isNull(at index: Int) -> Bool { kind(of: index) == .null }

    // MARK: Scalars

    private func text(at index: Int) throws -> String {
        guard let text = text(of: index) else { throw mismatch(String.self, at: index) }
        return text
    }

    /// Most arrays are arrays of texts.
    private func texts(at index: Int) throws -> [String] {
        try check(.array, for: [String].self, at: index)
        var texts: [String] = []
        texts.reserveCapacity(count(of: index))
        // A scalar is one entry; a container is refused.
        for element in (index + 1)..<(index + 1 + count(of: index)) { texts.append(try text(at: element)) }
        return texts
    }

    /// The numbers 1 and 0 are true and false, since a query has these for a comparison with an alias or inside another
    /// expression. Other numbers are refused: saving the object again would replace them.
    private func bool(at index: Int) throws -> Bool {
        guard kind(of: index) == .number else { return try booleanAlone(at: index) }
        switch whole(of: index) {
        case (0, _)?: return false
        case (1, false)?: return true
        case _?, nil: throw mismatch(Bool.self, at: index)
        }
    }

    /// A boolean of JSON, and no number: types that find out what a value is try one type after the other.
    func booleanAlone(at index: Int) throws -> Bool {
        switch kind(of: index) {
        case .true: true
        case .false: false
        case .null, .number, .text, .escapedText, .array, .object, .name, .ambiguousName, .escapedName:
            throw mismatch(Bool.self, at: index)
        }
    }

    private func whole<Value: FixedWidthInteger>(at index: Int) throws -> Value {
        try check(.number, for: Value.self, at: index)
        if let small = smallWhole(of: index), let value = Value(exactly: small) { return value }
        guard let whole = whole(of: index),
            let value: Value = Self.whole(whole.magnitude, isNegative: whole.isNegative)
        else { throw unfit(at: index) }
        return value
    }

    private func double(at index: Int) throws -> Double {
        try check(.number, for: Double.self, at: index)
        let value = double(of: index)
        guard value.isFinite else { throw unfit(at: index) }
        return value
    }

    private func float(at index: Int) throws -> Float {
        try check(.number, for: Float.self, at: index)
        guard let value = Float(numberText(of: index)), value.isFinite else { throw unfit(at: index) }
        return value
    }

    // MARK: Foundation's types

    private func date(at index: Int) throws -> Date {
        guard let date = DocumentDate.date(try text(at: index)) else {
            throw corrupted("not an ISO 8601 date", at: index)
        }
        return date
    }

    private func data(at index: Int) throws -> Data {
        guard let data = Data(base64Encoded: try text(at: index)) else { throw corrupted("not base64", at: index) }
        return data
    }

    private func url(at index: Int) throws -> URL {
        guard let url = URL(string: try text(at: index)) else { throw corrupted("not a URL", at: index) }
        return url
    }

    private func decimal(at index: Int) throws -> Decimal {
        try check(.number, for: Decimal.self, at: index)
        guard let value = Decimal(string: numberText(of: index)) else { throw unfit(at: index) }
        return value
    }
}

extension JSONLayout {
    private static func whole<Value: FixedWidthInteger>(_ magnitude: UInt128, isNegative: Bool) -> Value? {
        guard isNegative else { return Value(exactly: magnitude) }
        guard magnitude <= Int128.min.magnitude else { return nil }
        return Value(exactly: Int128(truncatingIfNeeded: 0 &- magnitude))
    }

    // MARK: Errors

    /// - Throws: where the value at an index is of another kind.
    func check(_ kind: JSONLayout.Kind, for type: @autoclosure () -> Any.Type, at index: Int) throws {
        guard self.kind(of: index) == kind else { throw mismatch(type(), at: index) }
    }

    func path(to index: Int) -> [any CodingKey] { way(to: index).map { PathKey($0) } }

    private func mismatch(_ type: Any.Type, at index: Int) -> DecodingError {
        let found = FoundValue(kind: kind(of: index))
        let context = DecodingError.Context(
            codingPath: path(to: index), debugDescription: "\(type) was expected, and \(found) is there",
            underlyingError: found)
        return found.kind == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    private func unfit(at index: Int) -> DecodingError { corrupted("the number does not fit the type", at: index) }

    private func corrupted(_ reason: String, at index: Int) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: path(to: index), debugDescription: reason))
    }
}

/// A name or an index on the way to a value.
struct PathKey: CodingKey {
    /// The name of the member that a class decodes for its superclass.
    static let `super` = PathKey(stringValue: "super")

    let stringValue: String
    let intValue: Int?

    init(_ step: JSONLayout.Step) {
        switch step {
        case .member(let name): self.init(stringValue: name)
        case .element(let index): self.init(intValue: index)
        }
    }

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }
}

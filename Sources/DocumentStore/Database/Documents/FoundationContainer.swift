import Foundation

/// One level of an `NSArray` or `NSDictionary`, the containers in it as the objects that they are.
///
/// A cast to `[Any]` would take apart all that is inside by calls inside each other: a container that is very deep, or
/// contains itself, would end the process.
enum FoundationContainer {
    case elements([Any])
    case members([(key: String, value: Any?)])
    /// A dictionary whose keys are not all texts.
    case unstorable

    /// No container of Swift's is looked at: it would be made one of Foundation's for the question.
    static func isOne(_ value: Any) -> Bool {
        type(of: value) is AnyClass && (value is NSArray || value is NSDictionary)
    }

    /// `nil` for what is neither.
    init?(_ object: AnyObject) {
        switch object {
        case let array as NSArray: self = .elements(Self.values(of: array))
        case let dictionary as NSDictionary: self = Self.members(of: dictionary)
        default: return nil
        }
    }

    private static func values(of array: NSArray) -> [Any] {
        // Only the mirror shows containers as they are; that of a subclass may show something else.
        let objects = Mirror(reflecting: array).children.map(\.value)
        guard objects.count == array.count else { return (0..<array.count).map { array.object(at: $0) } }
        return objects.enumerated().map { isContainer($1) ? $1 : array.object(at: $0) }
    }

    private static func members(of dictionary: NSDictionary) -> FoundationContainer {
        var members: [(key: String, value: Any?)] = []
        for (key, value) in zip(dictionary.allKeys, dictionary.allValues) {
            guard let name = key as? String else { return .unstorable }
            members.append((name, isContainer(value) ? value : dictionary.object(forKey: key)))
        }
        return .members(members)
    }

    /// Whether Foundation makes a container of Swift's of it where it is read.
    private static func isContainer(_ value: Any) -> Bool {
        value is NSArray || value is NSDictionary || value is NSSet || value is NSOrderedSet
    }
}

import Foundation

/// One level of an `NSArray` or `NSDictionary`, the containers in it as the objects that they are.
///
/// A cast to `[Any]` would convert everything inside by nested calls: a container that is very deep, or contains
/// itself, would end the process.
enum FoundationContainer {
    case elements([Any])
    case members([(key: String, value: Any?)])
    /// A dictionary whose keys are not all texts.
    case unstorable

    /// Containers of Swift are left out first: the check would convert them to Foundation's.
    static func isOne(_ value: Any) -> Bool {
        type(of: value) is AnyClass && (value is NSArray || value is NSDictionary)
    }

    /// `nil` for an object that is neither.
    init?(_ object: AnyObject) {
        switch object {
        case let array as NSArray: self = .elements(Self.values(of: array))
        case let dictionary as NSDictionary: self = Self.members(of: dictionary)
        default: return nil
        }
    }

    private static func values(of array: NSArray) -> [Any] {
        // Only the mirror shows the containers without converting them; the mirror of a subclass may show something
        // else.
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

    /// Whether reading it makes a container of Swift's.
    private static func isContainer(_ value: Any) -> Bool {
        value is NSArray || value is NSDictionary || value is NSSet || value is NSOrderedSet
    }
}

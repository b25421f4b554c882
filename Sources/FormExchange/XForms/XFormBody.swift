import DocumentValues

/// The controls of an XForm by the nodes that they are for, in the order of the body.
struct XFormBody {
    struct Control {
        let element: MarkupElement
        let order: Int
    }

    private(set) var controls: [XFormPath: Control] = [:]
    /// Groups around repeats hold the repeats' labels.
    private(set) var groups: [XFormPath: MarkupElement] = [:]
    private(set) var repeats: [XFormPath: MarkupElement] = [:]
    private(set) var orders: [XFormPath: Int] = [:]
    /// Groups without a node, whose questions are asked one after the other.
    private(set) var flattened: [MarkupElement] = []
    /// Elements that are no controls, or are for no node.
    private(set) var unknown: [MarkupElement] = []
    private var next = 0

    private static let names = [
        "input", "select1", "select", "upload", "trigger", "range", "rank", "secret", "textarea",
    ]
    private static let parts = ["label", "hint", "help", "alert", "setvalue", "setgeopoint", "recordaudio"]

    /// - Parameter byID: paths of binds, for controls that name one by its id.
    init(_ body: MarkupElement, byID: [Name: XFormPath], model: inout XFormModel) {
        for element in body.children { read(element, byID: byID, model: &model) }
    }

    private mutating func read(_ element: MarkupElement, byID: [Name: XFormPath], model: inout XFormModel) {
        let path = Self.path(of: element, byID: byID)
        switch element.local {
        case "group", "repeat":
            if let path {
                note(path)
                if element.local == "group" { groups[path] = groups[path] ?? element } else { repeats[path] = element }
            } else if element.local == "group" {
                if !element.children("repeat").isEmpty || element.child("label") == nil {
                    // A group that only surrounds a repeat, with a label for it.
                    if let inner = element.child("repeat"), let path = Self.path(of: inner, byID: byID) {
                        groups[path] = groups[path] ?? element
                    }
                } else {
                    flattened.append(element)
                }
            }
            for child in element.children {
                model.add(child, trigger: nil)
                read(child, byID: byID, model: &model)
            }
        case let name where Self.names.contains(name):
            guard let path else { return unknown.append(element) }
            if controls[path] == nil { controls[path] = Control(element: element, order: next) }
            note(path)
            for child in element.children { model.add(child, trigger: path) }
        case let name where Self.parts.contains(name): break
        default: unknown.append(element)
        }
    }

    private mutating func note(_ path: XFormPath) {
        if orders[path] == nil { orders[path] = next }
        next += 1
    }

    private static func path(of element: MarkupElement, byID: [Name: XFormPath]) -> XFormPath? {
        if let path = (element["ref"] ?? element["nodeset"]).flatMap({ XFormPath($0) }) { return path }
        return element["bind"].flatMap { byID[Name($0)] }
    }
}

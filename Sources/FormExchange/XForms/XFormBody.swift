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
    private let byID: [Name: XFormPath]

    private static let names = [
        "input", "select1", "select", "upload", "trigger", "range", "rank", "secret", "textarea",
    ]
    private static let parts = ["label", "hint", "help", "alert", "setvalue", "setgeopoint", "recordaudio"]

    /// - Parameter byID: paths of binds, for controls that name one by its id.
    init(_ body: MarkupElement, byID: [Name: XFormPath], model: inout XFormModel) {
        self.byID = byID
        for element in body.children { read(element, inside: nil, model: &model) }
    }

    /// - Parameter surrounding: the node of the group around it, from which relative paths begin.
    private mutating func read(_ element: MarkupElement, inside surrounding: XFormPath?, model: inout XFormModel) {
        let path = path(of: element, inside: surrounding)
        switch element.local {
        case "group", "repeat":
            if let path {
                note(path)
                if element.local == "group" { groups[path] = groups[path] ?? element } else { repeats[path] = element }
            } else if element.local == "group" {
                if !element.children("repeat").isEmpty || element.child("label") == nil {
                    // A group that only surrounds a repeat, with a label for it.
                    if let inner = element.child("repeat"), let path = self.path(of: inner, inside: surrounding) {
                        groups[path] = groups[path] ?? element
                    }
                } else {
                    flattened.append(element)
                }
            }
            for child in element.children {
                model.add(child, trigger: nil)
                read(child, inside: path ?? surrounding, model: &model)
            }
        case let name where Self.names.contains(name):
            guard let path, model.tree[path] != nil else { return unknown.append(element) }
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

    private func path(of element: MarkupElement, inside surrounding: XFormPath?) -> XFormPath? {
        guard let text = (element["ref"] ?? element["nodeset"])?.trimmingSpaces else {
            return element["bind"].flatMap { byID[Name($0)] }
        }
        if let path = XFormPath(text) { return path }
        guard let surrounding else { return nil }
        let relative = text.droppingExactPrefix("current()/") ?? text.droppingExactPrefix("./") ?? text
        return XFormPath("\(surrounding.text)/\(relative)")
    }
}

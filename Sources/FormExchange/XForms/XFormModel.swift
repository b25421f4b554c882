import DocumentValues

/// The model of an XForm as tables: binds and actions by their nodes, secondary instances by their ids.
struct XFormModel {
    let element: MarkupElement
    let tree: InstanceTree
    private(set) var binds: [XFormPath: MarkupElement] = [:]
    private(set) var actions: [XFormPath: [XFormAction]] = [:]
    private(set) var instances: [MarkupElement] = []
    /// Whether pyxform wrote it, which puts spaces around references and a hyphen for missing translations.
    let isGenerated: Bool

    /// - Throws: `FormFileError` where there is no instance, or more than one.
    init(_ element: MarkupElement, file: String) throws(FormFileError) {
        self.element = element
        isGenerated = element["xforms-version", in: .odk] != nil || Self.hasSpacedPaths(element)
        let all = element.children("instance")
        guard let primary = all.first, let root = primary.children.first else {
            throw FormFileError(.notAForm("the model has no instance"), file: file)
        }
        guard primary.children.count == 1, all.dropFirst().allSatisfy({ $0["id"] != nil }) else {
            throw FormFileError(.notAForm("it has several primary instances"), file: file)
        }
        tree = InstanceTree(root)
        instances = Array(all.dropFirst())
        for bind in element.children("bind") {
            guard let path = (bind["nodeset"] ?? bind["ref"]).flatMap({ XFormPath($0) }), binds[path] == nil else {
                continue
            }
            binds[path] = bind
        }
        for child in element.children { add(child, trigger: nil) }
    }

    /// Whether its paths have the spaces that earlier versions of pyxform put around references, too.
    private static func hasSpacedPaths(_ model: MarkupElement) -> Bool {
        model.children("bind").contains { bind in
            bind.tag.attributes.contains { attribute in
                attribute.value.hasPrefix(" /") || attribute.value.hasPrefix(" ../")
                    || attribute.value.containsBytes(of: "  /") || attribute.value.containsBytes(of: "  ../")
            }
        }
    }

    /// Notes an element if it is an action.
    ///
    /// - Parameter trigger: the question whose control it is in.
    mutating func add(_ element: MarkupElement, trigger: XFormPath?) {
        guard element.local == "setvalue" || element.local == "setgeopoint" else { return }
        for action in XFormAction.all(of: element, trigger: trigger) {
            actions[action.target, default: []].append(action)
        }
    }

    func instance(_ id: String) -> MarkupElement? { instances.first { $0["id"] == id } }

    /// Binds of nodes that the instance does not have.
    var strayBinds: [MarkupElement] {
        element.children("bind").filter { bind in
            guard let text = bind["nodeset"] ?? bind["ref"] else { return false }
            guard let path = XFormPath(text) else { return true }
            return tree[path] == nil && !path.last.hasPrefix("@")
        }
    }
}

/// An action that sets a value at some event.
struct XFormAction {
    enum Event {
        /// When the record or an instance of a repeat is made.
        case first
        /// When the answer of a question changes.
        case changed(XFormPath)
    }

    let target: XFormPath
    let event: Event
    /// An expression; `nil` for a position.
    let value: String?
    /// A text that is no expression.
    let text: String?

    /// One for each kind of event that it names.
    fileprivate static func all(of element: MarkupElement, trigger: XFormPath?) -> [XFormAction] {
        guard let target = (element["ref"] ?? element["bind"]).flatMap({ XFormPath($0) }) else { return [] }
        let names = (element["event"] ?? "").split(atByte: " ").map(String.init)
        let changed = names.contains("xforms-value-changed")
        var events: [Event] = []
        if !changed || names.count > 1 { events.append(.first) }
        if changed, let trigger { events.append(.changed(trigger)) }
        let isPosition = element.local == "setgeopoint"
        let value = isPosition ? nil : element["value"]
        let text = isPosition || value != nil ? nil : element.text.trimmingSpaces
        return events.map { XFormAction(target: target, event: $0, value: value, text: text) }
    }

    var isPosition: Bool { value == nil && text == nil }
}

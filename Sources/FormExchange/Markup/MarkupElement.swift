import DocumentValues

/// An element with all that is in it.
package struct MarkupElement: Sendable {
    let tag: MarkupTag
    fileprivate(set) var content: [Content] = []

    enum Content: Sendable {
        case element(MarkupElement)
        case text(String)
    }

    var local: String { tag.local }

    var line: Int { tag.line }

    subscript(_ local: String, in namespace: MarkupNamespace = .none) -> String? { tag[local, in: namespace] }

    var children: [MarkupElement] {
        content.compactMap { part in
            switch part {
            case .element(let element): element
            case .text: nil
            }
        }
    }

    /// The first child of a name, whatever its vocabulary: older tools mixed these up.
    func child(_ local: String) -> MarkupElement? { children.first { $0.local == local } }

    func children(_ local: String) -> [MarkupElement] { children.filter { $0.local == local } }

    /// The texts in it, without those of elements inside.
    var text: String {
        content.reduce(into: "") { all, part in
            switch part {
            case .text(let text): all += text
            case .element: break
            }
        }
    }
}

extension MarkupElement {
    /// The root element of a document.
    ///
    /// - Throws: `FormFileError` where the bytes are no XML, or more than the limits allow.
    init(_ bytes: [UInt8], file: String) throws(FormFileError) {
        let builder = try MarkupReader.read(bytes, file: file, into: ElementBuilder())
        guard let root = builder.root else { throw FormFileError(.notAForm("the XML has no element"), file: file) }
        self = root
    }
}

private struct ElementBuilder: MarkupHandler {
    private var open: [MarkupElement] = []
    private(set) var root: MarkupElement?

    mutating func start(_ tag: MarkupTag) { open.append(MarkupElement(tag: tag)) }

    mutating func text(_ text: String) {
        guard !open.isEmpty else { return }
        open[open.count - 1].content.append(.text(text))
    }

    mutating func end() {
        guard let element = open.popLast() else { return }
        if open.isEmpty {
            root = element
        } else {
            open[open.count - 1].content.append(.element(element))
        }
    }
}

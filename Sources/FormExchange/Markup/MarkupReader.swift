import DocumentValues
import Foundation
import FoundationXML

/// Takes the parts of an XML document in their order.
protocol MarkupHandler {
    mutating func start(_ tag: MarkupTag) throws(FormFileError)
    mutating func text(_ text: String) throws(FormFileError)
    mutating func end() throws(FormFileError)
}

/// Reads XML from outside: neither entities of its own nor other files, a limited depth, names with their vocabulary.
enum MarkupReader {
    /// - Parameter part: the name of a workbook's part, for errors.
    /// - Throws: `FormFileError` where the text is no XML, or more than the limits allow.
    static func read<Handler: MarkupHandler>(
        _ bytes: [UInt8], file: String, part: String? = nil, limit: Int = FormExchangeLimits.markup,
        into handler: Handler
    ) throws(FormFileError) -> Handler {
        let text = try MarkupText(bytes, file: file, limit: limit)
        let delegate = MarkupDelegate(handler: handler, file: file, part: part)
        let parser = XMLParser(data: Data(text.bytes))
        parser.shouldProcessNamespaces = false
        parser.shouldResolveExternalEntities = false
        parser.delegate = delegate
        _ = parser.parse()
        if let error = delegate.error { throw error }
        guard delegate.isComplete else { throw delegate.damage(line: parser.lineNumber, "it ends too early") }
        return delegate.handler
    }
}

/// The parser's callbacks as calls of a handler; the first error ends the reading.
private final class MarkupDelegate<Handler: MarkupHandler>: NSObject, XMLParserDelegate {
    private(set) var handler: Handler
    private(set) var error: FormFileError?
    private(set) var isComplete = false
    private let file: String
    private let part: String?
    private var scopes: [NamespaceScope] = [NamespaceScope()]

    init(handler: Handler, file: String, part: String?) {
        self.handler = handler
        self.file = file
        self.part = part
    }

    func damage(line: Int, _ detail: String) -> FormFileError {
        FormFileError(part.map { .damagedPart($0, detail) } ?? .damagedMarkup(line: line, detail), file: file)
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        perform(with: parser) { () throws(FormFileError) in
            guard scopes.count <= FormExchangeLimits.markupDepth else {
                throw damage(
                    line: parser.lineNumber, "more than \(FormExchangeLimits.markupDepth) elements in each other")
            }
            let scope = scopes[scopes.count - 1].entering(attributes)
            scopes.append(scope)
            try handler.start(scope.tag(name, attributes: attributes, line: parser.lineNumber))
        }
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        perform(with: parser) { () throws(FormFileError) in
            scopes.removeLast()
            try handler.end()
            isComplete = scopes.count == 1
        }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        perform(with: parser) { () throws(FormFileError) in try handler.text(text) }
    }

    func parser(_ parser: XMLParser, foundCDATA text: Data) {
        perform(with: parser) { () throws(FormFileError) in try handler.text(String(decoding: text, as: UTF8.self)) }
    }

    /// Errors of namespaces (200 to 205), and warnings such as that of an address without a scheme (97 to 100), leave the
    /// text well-formed.
    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        let code = (error as NSError).code
        guard self.error == nil, !(200...205).contains(code), !(97...100).contains(code) else { return }
        self.error = damage(line: parser.lineNumber, "error \(code) of the parser")
    }

    private func perform(with parser: XMLParser, _ body: () throws(FormFileError) -> Void) {
        guard error == nil else { return }
        do throws(FormFileError) {
            try body()
        } catch {
            self.error = error
            parser.abortParsing()
        }
    }
}

/// The prefixes that are declared at an element.
private struct NamespaceScope {
    private var prefixes: [Name: MarkupNamespace] = [:]
    private var standard = MarkupNamespace.none

    func entering(_ attributes: [String: String]) -> NamespaceScope {
        var scope = self
        for (name, value) in attributes {
            if name == "xmlns" {
                scope.standard = MarkupNamespace(value)
            } else if let prefix = name.droppingExactPrefix("xmlns:") {
                scope.prefixes[Name(prefix)] = MarkupNamespace(value)
            }
        }
        return scope
    }

    func tag(_ name: String, attributes: [String: String], line: Int) -> MarkupTag {
        let (namespace, local) = resolve(name, without: standard)
        let kept = attributes.filter { $0.key != "xmlns" && !$0.key.hasPrefix("xmlns:") }.map { name, value in
            let (namespace, local) = resolve(name, without: .none)
            return MarkupAttribute(namespace: namespace, local: local, written: name, value: value)
        }.sorted { $0.written.isExactlyBefore($1.written) }
        return MarkupTag(namespace: namespace, local: local, attributes: kept, line: line)
    }

    private func resolve(_ name: String, without standard: MarkupNamespace) -> (MarkupNamespace, local: String) {
        let parts = name.split(atByte: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return (standard, name) }
        return (prefixes[Name(parts[0])] ?? MarkupNamespace(undeclared: parts[0]), String(parts[1]))
    }
}

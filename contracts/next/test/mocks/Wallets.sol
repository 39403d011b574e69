// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @notice A wallet contract whose word is the signature of one key, which may be changed.
contract SigningWallet is IERC1271 {
    address private _signer;

    constructor(address signer) {
        _signer = signer;
    }

    function rotate(address signer) external {
        _signer = signer;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        (address recovered, ECDSA.RecoverError failure, ) = ECDSA.tryRecoverCalldata(digest, signature);
        bool valid = failure == ECDSA.RecoverError.NoError && recovered == _signer;
        return valid ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}

// Wallets that are asked for a signature by ERC-1271, each hostile in its own way.

/// @dev Answers every call with the same bytes, whatever they are.
contract AnsweringWallet {
    bytes private _answer;

    constructor(bytes memory answer) {
        _answer = answer;
    }

    fallback(bytes calldata) external returns (bytes memory) {
        return _answer;
    }
}

/// @dev Reverts, with the very bytes that would have been a yes.
contract RevertingWallet {
    fallback() external {
        bytes32 yes = bytes32(IERC1271.isValidSignature.selector);
        assembly ("memory-safe") {
            mstore(0, yes)
            revert(0, 32)
        }
    }
}

/// @dev Burns all gas it is given.
contract GasBurningWallet {
    fallback() external {
        assembly ("memory-safe") {
            invalid()
        }
    }
}

/// @dev Calls a contract while it is asked, and says yes only if that call ended as foreseen. The question is a static
/// call, so a wallet can keep nothing; its answer is the only way to tell what it saw.
contract CallingWallet {
    address private immutable _target;
    bytes private _data;
    bool private _foreseenSuccess;
    bytes private _foreseenAnswer;

    constructor(address target, bytes memory data, bool foreseenSuccess, bytes memory foreseenAnswer) {
        _target = target;
        _data = data;
        _foreseenSuccess = foreseenSuccess;
        _foreseenAnswer = foreseenAnswer;
    }

    function isValidSignature(bytes32, bytes calldata) external returns (bytes4) {
        (bool success, bytes memory answer) = _target.call(_data);
        bool asForeseen = success == _foreseenSuccess && keccak256(answer) == keccak256(_foreseenAnswer);
        return asForeseen ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}
